// The keyboard and the screen reader in a TokenText: one tab stop, arrow keys, names of the tiles.

class TokenKeys {
  constructor(view) {
    this.view = view;
    this.active = 0; // the byte whose token takes the focus
  }

  focusedTile() {
    const focused = this.view.box.getRootNode().activeElement;
    return focused && this.view.box.contains(focused) ? focused.closest(".tile") : null;
  }

  // One tile can be reached by Tab: the active one, or the first in sight if that is not drawn.
  setTabStop() {
    if (!this.view.model?.bytes.length || !this.view.layoutRows) return;
    const stop = this.view.tileAt(this.active) ?? this.view.tileAt(this.view.layoutRows.starts[this.view.firstRowInSight()]);
    if (stop === this.stop) return;
    if (this.stop) this.stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.stop = stop;
  }

  focused(tile) {
    this.active = tile.start;
    this.setTabStop();
    this.name(tile);
    this.view.options.onHover?.(this.view.tokenOf(tile));
  }

  pressed(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      this.view.box.classList.add("all-selected"); // rows out of sight do not exist, so the browser could not select them
      return;
    }
    const tile = this.focusedTile();
    if (event.key === "Escape") {
      this.view.box.classList.remove("all-selected");
      this.view.options.onPick?.(null);
    } else if (tile && (event.key === "Enter" || event.key === " ")) this.view.options.onPick?.(this.view.tokenOf(tile));
    else if (!tile || event.altKey || !this.move(tile, event.key, event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
  }

  // Focuses the token that a key leads to; false if the key means nothing here.
  move(tile, key, far) {
    const { starts, rowOf } = this.view.layoutRows;
    const row = rowOf(tile.start);
    const page = Math.max(1, this.view.lastRowInSight() - this.view.firstRowInSight());
    const lastByte = this.view.model.bytes.length - 1;
    const target = {
      ArrowLeft: () => tile.token.start - 1,
      ArrowRight: () => tile.token.end,
      ArrowUp: () => this.byteInRow(row - 1, tile),
      ArrowDown: () => this.byteInRow(row + 1, tile),
      PageUp: () => this.byteInRow(Math.max(0, row - page), tile),
      PageDown: () => this.byteInRow(Math.min(starts.length - 1, row + page), tile),
      Home: () => (far ? 0 : starts[row]),
      End: () => (far ? lastByte : (starts[row + 1] ?? lastByte + 1) - 1),
    }[key]?.();
    if (target === undefined) return false;
    if (target >= 0 && target <= lastByte) this.focusByte(target);
    return true;
  }

  byteInRow(row, tile) {
    const { starts, left } = this.view.layoutRows;
    if (row < 0 || row >= starts.length) return -1;
    const end = starts[row + 1] ?? this.view.model.bytes.length;
    let byte = starts[row];
    while (byte + 1 < end && left[byte + 1] <= left[tile.start]) byte++;
    return byte;
  }

  focusByte(byte) {
    this.active = byte;
    this.view.scrollTo(byte);
    this.view.tileAt(byte)?.focus({ preventScroll: true });
  }

  // Names carry the token's number, which every merge changes, so they are written when the picture rests.
  nameSoon() {
    clearTimeout(this.naming);
    this.naming = setTimeout(() => this.nameAll(), 150);
  }

  nameAll() {
    const tiles = [...this.view.tiles()].sort((one, other) => one.start - other.start);
    if (!tiles.length) return;
    const total = this.total();
    let last = tiles[0].token.start;
    let number = this.view.model.tokenNumber(last, this.view.k);
    for (const tile of tiles) {
      const start = tile.token.start;
      if (start !== last) number += this.view.model.tokensBetween(last, start, this.view.k);
      last = start;
      this.name(tile, number, total);
    }
  }

  total() {
    return this.view.model.numTokens(this.view.k).toLocaleString("en");
  }

  name(tile, number = this.view.model.tokenNumber(tile.token.start, this.view.k), total = this.total()) {
    const { start, end, id, special } = tile.token;
    const text = special ? `special token ${special}` : spokenText(this.view.model.bytes.subarray(start, end));
    const pinned = tile.classList.contains("pinned") ? ", pinned" : "";
    tile.ariaLabel = `token ${number.toLocaleString("en")} of ${total}: ${text}, id ${id}${pinned}`;
    tile.ariaSelected = String(tile.classList.contains("pinned"));
  }
}
