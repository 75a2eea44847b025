/** Starts the page and connects its parts. */
import * as api from './shared/api.js';
import * as cells from './shared/cells.js';
import {bindingsOf} from './frame/bindings.js';
import {ClassList} from './frame/classes.js';
import {DataScreen} from './data/screen.js';
import {Editing} from './edit/editing.js';
import {events} from './shared/events.js';
import {explain} from './data/explanation.js';
import {Inspector} from './data/inspector.js';
import {keyList, listen} from './frame/keys.js';
import {showMenu} from './frame/menu.js';
import {closeScreen, notify, showDialog, showPanel, showScreen} from './frame/mounting.js';
import {followAddress, navigate, state} from './shared/state.js';
import {Frame} from './frame/frame.js';

/** @type {any} */
let file = null;
const frame = new Frame({
  retry: () => reload(), togglePause, showKeys, screen: name => navigate({screen: name}),
});
/** @type {DataScreen} */
let data;
/** @type {ClassList} */
let classes;
/** @type {Inspector} */
let inspector;
/** @type {Editing} */
let editing;
let linksFollowed = 0;

/** What panels get. */
const context = {
  events, navigate, notify,
  get file() { return file; },
  get view() { return data.view; },
  addFilter: (property, cell) => data.addFilter(property, cell),
};

const actions = {
  context,
  get data() { return data; },
  get classes() { return classes; },
  get inspector() { return inspector; },
  get file() { return file; },
  follow, openCell, back, escape, togglePause, toggleInspector, showKeys,
  editCell: () => editing.editCell(),
  call: (name, part, ...values) => editing.call(name, part, ...values),
  explain: () => explain(data.view, failed),
  panel: (name, options) => showPanel(name, context, options),
};

start();

async function start() {
  if (!await api.takeToken()) {
    frame.showMissingToken(false);
    return;
  }
  followAddress();
  if (await reload()) begin();
}

/** Reads what the file holds. @returns {Promise<boolean>} */
async function reload() {
  try {
    file = await api.get('file');
  } catch (error) {
    failed(error);
    return false;
  }
  frame.showFile(file);
  if (data) {
    classes.show(file.classes);
    if (file.classes.length) data.open({keeps: data.isCurrent});
  } else if (frame.wasLost) begin();
  return true;
}

function begin() {
  frame.wasLost = false;
  if (data) return;
  data = new DataScreen({
    file: () => file, failed, open: openCell, menu, explain: actions.explain,
    selectionChanged: () => frame.showSelection(data), viewChanged: () => frame.showSelection(data),
  });
  classes = new ClassList(document.getElementById('classes'), {
    open: name => {
      navigate({screen: 'data', className: name, filter: '', sort: [], object: null});
      data.focus();
    },
    leave: () => data.focus(),
  });
  inspector = new Inspector(document.getElementById('inspector'), {
    file: () => file, follow, leave: () => data.focus(), close: () => toggleInspector(false),
    openQuery: (className, filter) => {
      navigate({screen: 'data', className, filter, sort: [], object: null});
      data.focus();
    },
    edit: (object, property, cell, target) => editing.edit(object.class, object.row, property, cell, target),
  });
  editing = new Editing({context, data, inspector, failed});
  classes.show(file.classes);
  listen(bindingsOf(actions));
  listenToEvents();
  document.addEventListener('paste', event => editing.paste(event));
  toggleInspector(sessionStorage.getItem('studio-inspector-hidden') === null && innerWidth >= 900);
  state.subscribe(stateChanged);
  events.start();
  if (!file.classes.length) frame.showNoClasses();
  if (!file.classes.some(one => one.name === state.current.className)) {
    const first = file.classes.find(one => !one.embedded && one.count > 0)
      ?? file.classes.find(one => !one.embedded) ?? file.classes[0];
    if (first) navigate({className: first.name, filter: '', sort: [], object: null}, {replace: true});
  }
  stateChanged(state.current, null);
  data.focus();
}

/** Shows what the state says. */
function stateChanged(now, before) {
  if (!file.classes.length) return;
  if (!file.classes.some(one => one.name === now.className)) {
    frame.showSelection(data);
    notify(`The file has no class “${now.className}”.`, 'error');
    return;
  }
  const isData = now.screen === 'data';
  document.getElementById('data-screen').hidden = !isData;
  const panelScreen = document.getElementById('panel-screen');
  panelScreen.hidden = isData;
  frame.showScreen(now.screen);
  classes.select(isData ? now.className : '');
  inspector.root.hidden = !isData || isInspectorHidden();
  if (now.screen !== before?.screen) {
    if (isData) closeScreen();
    else showScreen(panelScreen, 'panels/' + (now.screen === 'file' ? 'storage' : now.screen), context);
  }
  if (!data.isCurrent) data.open();
  else {
    data.query.show(now.className, now.filter);
    if (now.object && now.object.class === now.className) data.select(now.object);
  }
  inspector.show(now.object);
  document.title = `${now.className} – ${file.name}`;
}

function listenToEvents() {
  let wasLost = false;
  events.on('status', status => {
    frame.showConnection(status);
    if (status === 'refused') frame.showMissingToken(true);
    if (status === 'live' && wasLost) reload();
    wasLost = status === 'lost' || (wasLost && status !== 'live');
  });
  events.on('file', change => {
    frame.showVersion(change.version);
    const names = new Set(file.classes.map(one => one.name));
    const hasNewClass = Object.keys(change.counts ?? {}).some(name => !names.has(name));
    if (hasNewClass) reload();
    else classes.updateCounts(change.counts ?? {});
    if (!data.isPaused) inspector.refresh();
  });
  events.on('gone', ({message}) => frame.showGone(message));
  events.on('reload', () => reload());
}

/** Shows a failure where it belongs. */
function failed(error) {
  if (api.isAborted(error)) return;
  if (error.status === 401) {
    api.forgetToken();
    frame.showMissingToken(true);
  } else if (error.status === 0) frame.showConnection('lost');
  else if (!file) frame.showFailure(error.message);
  else notify(error.message, 'error');
}

/** Opens the object that a link names. @param {{class: string, row: number}} link */
function follow(link) {
  linksFollowed += 1;
  const object = {class: link.class, row: link.row};
  navigate({screen: 'data', className: link.class, filter: '', sort: [], object});
  data.focus();
}

function back() {
  if (linksFollowed === 0) return;
  linksFollowed -= 1;
  history.back();
}

/**
 * Enter (without an event), double click or Ctrl-click on a cell: follows a link, edits, or shows the object.
 * @param {MouseEvent|null} event
 */
function openCell(event) {
  const {current} = data;
  if (!current) return;
  const link = cells.linkOf(current.cell);
  const isFollowing = link && (event?.ctrlKey || event?.metaKey || !file.writable);
  if (isFollowing) follow(link);
  else if (file.writable && !event?.ctrlKey) editing.editCell();
  else if (!event || event.type === 'dblclick') {
    toggleInspector(true);
    inspector.focus();
  }
}

/** One step back: from a block to a cell, from another screen to the data. */
function escape() {
  const {selection} = data.grid;
  if (state.current.screen !== 'data') {
    navigate({screen: 'data'});
    data.focus();
  } else if (selection.isBlock) {
    selection.rows.clear();
    data.grid.moveTo(selection.position, selection.column);
  } else data.focus();
}

function togglePause() {
  data.pause();
  frame.showPaused(data.isPaused);
}

const isInspectorHidden = () => sessionStorage.getItem('studio-inspector-hidden') !== null;

/** @param {boolean} isShown */
function toggleInspector(isShown = isInspectorHidden()) {
  if (isShown) sessionStorage.removeItem('studio-inspector-hidden');
  else sessionStorage.setItem('studio-inspector-hidden', 'true');
  const hadFocus = inspector.root.contains(document.activeElement);
  inspector.root.hidden = !isShown || state.current.screen !== 'data';
  if (isShown) inspector.refresh();
  else if (hadFocus) data.focus();
}

/** Shows what can be done with the selection. */
function menu(x, y) {
  const hasLink = cells.linkOf(data.current?.cell) !== null;
  const wanted = bindingsOf(actions).filter(one => one.isInMenu && (hasLink || !one.keys.includes('o')));
  showMenu(wanted, x, y, () => data.focus());
}

function showKeys() {
  showDialog(done => keyList(bindingsOf(actions), done));
}
