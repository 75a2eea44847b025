#include "StudioPage.h"

// `#embed` is of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char icon_svg[] = {
#embed "Page/icon.svg"
};
static const unsigned char style_css[] = {
#embed "Page/style.css"
};
static const unsigned char panels_css[] = {
#embed "Page/panels.css"
};
static const unsigned char data_explanation_js[] = {
#embed "Page/data/explanation.js"
};
static const unsigned char data_inspector_js[] = {
#embed "Page/data/inspector.js"
};
static const unsigned char data_query_js[] = {
#embed "Page/data/query.js"
};
static const unsigned char data_screen_js[] = {
#embed "Page/data/screen.js"
};
static const unsigned char data_values_js[] = {
#embed "Page/data/values.js"
};
static const unsigned char edit_cell_editor_js[] = {
#embed "Page/edit/cell-editor.js"
};
static const unsigned char edit_collections_js[] = {
#embed "Page/edit/collections.js"
};
static const unsigned char edit_editing_js[] = {
#embed "Page/edit/editing.js"
};
static const unsigned char edit_editors_js[] = {
#embed "Page/edit/editors.js"
};
static const unsigned char edit_objects_js[] = {
#embed "Page/edit/objects.js"
};
static const unsigned char edit_paste_js[] = {
#embed "Page/edit/paste.js"
};
static const unsigned char edit_picker_js[] = {
#embed "Page/edit/picker.js"
};
static const unsigned char edit_transactions_js[] = {
#embed "Page/edit/transactions.js"
};
static const unsigned char frame_bindings_js[] = {
#embed "Page/frame/bindings.js"
};
static const unsigned char frame_classes_js[] = {
#embed "Page/frame/classes.js"
};
static const unsigned char frame_frame_js[] = {
#embed "Page/frame/frame.js"
};
static const unsigned char frame_keys_js[] = {
#embed "Page/frame/keys.js"
};
static const unsigned char frame_menu_js[] = {
#embed "Page/frame/menu.js"
};
static const unsigned char frame_mounting_js[] = {
#embed "Page/frame/mounting.js"
};
static const unsigned char grid_css[] = {
#embed "Page/grid.css"
};
static const unsigned char grid_columns_js[] = {
#embed "Page/grid/columns.js"
};
static const unsigned char grid_copying_js[] = {
#embed "Page/grid/copying.js"
};
static const unsigned char grid_grid_js[] = {
#embed "Page/grid/grid.js"
};
static const unsigned char grid_header_js[] = {
#embed "Page/grid/header.js"
};
static const unsigned char grid_mouse_js[] = {
#embed "Page/grid/mouse.js"
};
static const unsigned char grid_rows_js[] = {
#embed "Page/grid/rows.js"
};
static const unsigned char grid_scrolling_js[] = {
#embed "Page/grid/scrolling.js"
};
static const unsigned char grid_selection_js[] = {
#embed "Page/grid/selection.js"
};
static const unsigned char grid_tints_js[] = {
#embed "Page/grid/tints.js"
};
static const unsigned char grid_windows_js[] = {
#embed "Page/grid/windows.js"
};
static const unsigned char main_js[] = {
#embed "Page/main.js"
};
static const unsigned char panels_charts_js[] = {
#embed "Page/panels/charts.js"
};
static const unsigned char panels_diagram_layout_js[] = {
#embed "Page/panels/diagram-layout.js"
};
static const unsigned char panels_diagram_js[] = {
#embed "Page/panels/diagram.js"
};
static const unsigned char panels_export_js[] = {
#embed "Page/panels/export.js"
};
static const unsigned char panels_groups_js[] = {
#embed "Page/panels/groups.js"
};
static const unsigned char panels_schema_js[] = {
#embed "Page/panels/schema.js"
};
static const unsigned char panels_storage_js[] = {
#embed "Page/panels/storage.js"
};
static const unsigned char panels_summary_js[] = {
#embed "Page/panels/summary.js"
};
static const unsigned char shared_api_js[] = {
#embed "Page/shared/api.js"
};
static const unsigned char shared_cells_js[] = {
#embed "Page/shared/cells.js"
};
static const unsigned char shared_elements_js[] = {
#embed "Page/shared/elements.js"
};
static const unsigned char shared_events_worker_js[] = {
#embed "Page/shared/events-worker.js"
};
static const unsigned char shared_events_js[] = {
#embed "Page/shared/events.js"
};
static const unsigned char shared_state_js[] = {
#embed "Page/shared/state.js"
};

#define ENTRY(path, bytes) {path, bytes, sizeof bytes}

const struct studio_page_file studio_page_files[] = {
  ENTRY("index.html", index_html),
  ENTRY("icon.svg", icon_svg),
  ENTRY("style.css", style_css),
  ENTRY("panels.css", panels_css),
  ENTRY("data/explanation.js", data_explanation_js),
  ENTRY("data/inspector.js", data_inspector_js),
  ENTRY("data/query.js", data_query_js),
  ENTRY("data/screen.js", data_screen_js),
  ENTRY("data/values.js", data_values_js),
  ENTRY("edit/cell-editor.js", edit_cell_editor_js),
  ENTRY("edit/collections.js", edit_collections_js),
  ENTRY("edit/editing.js", edit_editing_js),
  ENTRY("edit/editors.js", edit_editors_js),
  ENTRY("edit/objects.js", edit_objects_js),
  ENTRY("edit/paste.js", edit_paste_js),
  ENTRY("edit/picker.js", edit_picker_js),
  ENTRY("edit/transactions.js", edit_transactions_js),
  ENTRY("frame/bindings.js", frame_bindings_js),
  ENTRY("frame/classes.js", frame_classes_js),
  ENTRY("frame/frame.js", frame_frame_js),
  ENTRY("frame/keys.js", frame_keys_js),
  ENTRY("frame/menu.js", frame_menu_js),
  ENTRY("frame/mounting.js", frame_mounting_js),
  ENTRY("grid.css", grid_css),
  ENTRY("grid/columns.js", grid_columns_js),
  ENTRY("grid/copying.js", grid_copying_js),
  ENTRY("grid/grid.js", grid_grid_js),
  ENTRY("grid/header.js", grid_header_js),
  ENTRY("grid/mouse.js", grid_mouse_js),
  ENTRY("grid/rows.js", grid_rows_js),
  ENTRY("grid/scrolling.js", grid_scrolling_js),
  ENTRY("grid/selection.js", grid_selection_js),
  ENTRY("grid/tints.js", grid_tints_js),
  ENTRY("grid/windows.js", grid_windows_js),
  ENTRY("main.js", main_js),
  ENTRY("panels/charts.js", panels_charts_js),
  ENTRY("panels/diagram-layout.js", panels_diagram_layout_js),
  ENTRY("panels/diagram.js", panels_diagram_js),
  ENTRY("panels/export.js", panels_export_js),
  ENTRY("panels/groups.js", panels_groups_js),
  ENTRY("panels/schema.js", panels_schema_js),
  ENTRY("panels/storage.js", panels_storage_js),
  ENTRY("panels/summary.js", panels_summary_js),
  ENTRY("shared/api.js", shared_api_js),
  ENTRY("shared/cells.js", shared_cells_js),
  ENTRY("shared/elements.js", shared_elements_js),
  ENTRY("shared/events-worker.js", shared_events_worker_js),
  ENTRY("shared/events.js", shared_events_js),
  ENTRY("shared/state.js", shared_state_js),
};
const size_t studio_page_file_count = sizeof studio_page_files / sizeof *studio_page_files;
