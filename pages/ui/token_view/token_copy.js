// Copying from a TokenText gives the raw text: which bytes a selection covers.

class TokenCopy {
  constructor(view) {
    this.view = view;
  }

  // The selection's two ends inside our shadow root; browsers differ in how they tell.
  selectedRange() {
    const root = this.view.box.getRootNode();
    const selection = root.getSelection?.() ?? document.getSelection();
    if (!selection || !selection.rangeCount) return null;
    const shadowRoots = root instanceof ShadowRoot ? [root] : [];
    const range = selection.getComposedRanges?.({ shadowRoots })[0] ?? selection.getRangeAt(0);
    const empty = range.startContainer === range.endContainer && range.startOffset === range.endOffset;
    return !empty && this.view.box.contains(range.startContainer) ? range : null;
  }

  hasSelection() {
    return this.selectedRange() !== null;
  }

  copied(event) {
    const text = this.selectedText();
    if (text === null) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
  }

  // The raw text; between two documents stands a line end, if the first does not end with one.
  selectedText() {
    const selected = this.selectedBytes();
    if (!selected) return null;
    const [start, end] = selected;
    const { bytes, documents } = this.view.model;
    const cuts = [start, ...[...documents.keys()].filter((byte) => byte > start && byte < end), end];
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const pieces = cuts.slice(1).map((cut, i) => decoder.decode(bytes.subarray(cuts[i], cut)));
    return pieces.map((piece, i) => (i + 1 < pieces.length && !piece.endsWith("\n") ? `${piece}\n` : piece)).join("");
  }

  // From which byte to which.
  selectedBytes() {
    if (this.view.box.classList.contains("all-selected")) return [0, this.view.model.bytes.length];
    const range = this.selectedRange();
    if (!range) return null;
    const { lengths } = this.view.model;
    let start = this.byteOf(range.startContainer, range.startOffset, false);
    let end = this.byteOf(range.endContainer, range.endOffset, true);
    while (lengths[start] === 0) start--; // half a character cannot be copied as text
    while (lengths[end] === 0) end++;
    return [start, end];
  }

  // Inside a run of plain letters an offset is a byte; anything else is taken whole.
  byteOf(node, offset, atEnd) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const holder = element.closest(".segment, .tile");
    if (!holder) return this.byteAtEdge(node, offset, atEnd);
    const plain = node.nodeType === Node.TEXT_NODE && (holder.className === "segment plain" || holder.matches(".tile"));
    if (plain && !holder.matches(".special")) return holder.start + offset;
    return atEnd && offset > 0 ? holder.end : holder.start;
  }

  byteAtEdge(node, offset, atEnd) {
    const tiles = [...(node.querySelectorAll?.(".tile") ?? [])];
    if (!tiles.length) return atEnd ? this.view.model.bytes.length : 0;
    const after = node.childNodes[offset];
    const following = after && (after.matches?.(".tile") ? after : after.querySelector?.(".tile"));
    return following ? following.start : tiles[tiles.length - 1].end;
  }
}
