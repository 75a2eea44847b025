/** A menu of what keys do, for the mouse: at the pointer, or below a button. */
import {make} from '../shared/elements.js';
import {keyText} from './keys.js';

/** @type {(() => void)|null} */
let closeOpen = null;

/**
 * Shows a menu with its top left corner at a point of the window, moved so that it is visible.
 * @param {import('./keys.js').Binding[]} bindings @param {number} x @param {number} y
 * @param {() => void} closed called when the menu has closed, before the chosen action runs
 */
export function showMenu(bindings, x, y, closed) {
  closeOpen?.();
  const menu = make('div', {class: 'menu'});
  menu.setAttribute('role', 'menu');
  let group = bindings[0]?.group;
  for (const binding of bindings) {
    if (binding.group !== group) menu.append(make('hr'));
    group = binding.group;
    const item = make('button', {class: 'menu-item'});
    item.setAttribute('role', 'menuitem');
    const key = make('span', {class: 'faint'}, keyText(binding.keys[0]));
    item.append(make('span', {class: 'menu-text'}, binding.text), key);
    item.addEventListener('click', () => {
      close();
      binding.run(new KeyboardEvent('keydown', {key: binding.keys[0]}));
    });
    menu.append(item);
  }
  document.body.append(menu);
  const {width, height} = menu.getBoundingClientRect();
  menu.style.left = Math.max(Math.min(x, innerWidth - width - 4), 4) + 'px';
  menu.style.top = Math.max(Math.min(y, innerHeight - height - 4), 4) + 'px';

  const close = () => {
    closeOpen = null;
    removeEventListener('pointerdown', outside, true);
    removeEventListener('blur', close);
    menu.remove();
    closed();
  };
  const outside = event => { if (!menu.contains(event.target)) close(); };
  closeOpen = close;
  addEventListener('pointerdown', outside, true);
  addEventListener('blur', close);
  menu.addEventListener('contextmenu', event => event.preventDefault());
  menu.addEventListener('keydown', event => {
    const items = [...menu.querySelectorAll('button')];
    const current = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (event.key === 'ArrowDown') items[(current + 1) % items.length].focus();
    else if (event.key === 'ArrowUp') items[(current - 1 + items.length) % items.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    else items[current]?.click();
    event.preventDefault();
    event.stopPropagation();
  });
  menu.querySelector('button')?.focus();
}
