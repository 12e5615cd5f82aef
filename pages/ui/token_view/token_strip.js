// A strip: a short text in tokens at one size, with the token card beside it; or the card alone. No bar, no figures.

const MOST_MEASURED = 200; // different tokens; should a later one need more room, the card grows

class TokenStrip {
  constructor(parent) {
    this.root = parent.appendChild(document.createElement("div"));
    this.root.className = "tokens token-strip";
    const textPlace = this.root.appendChild(document.createElement("div"));
    const cardPlace = this.root.appendChild(document.createElement("div"));
    textPlace.className = "text-place";
    cardPlace.className = "card-place";
    this.pinned = null;
    this.text = new TokenText(textPlace, {
      label: "The sentence in tokens",
      onHover: (token) => this.pinned === null && this.showCard(token),
      onPick: (token) => this.pick(token),
    });
    this.card = new TokenCard(cardPlace, { onPin: (token) => this.pick(token), folded: true });
    this.following = followWidth(this.root);
    this.resizing = new ResizeObserver(() => this.reserve());
    this.resizing.observe(this.root);
  }

  destroy() {
    this.following.disconnect();
    this.resizing.disconnect();
    this.text.destroy();
    this.root.remove();
  }

  update(data) {
    applyTheme(this.root);
    matchCells(this.root);
    const key = `${data.model.signature} ${data.merges}`;
    if (key === this.key) return;
    const sameText = this.signature === data.model.signature;
    Object.assign(this, { key, signature: data.model.signature, k: data.merges, pinned: null });
    if (!sameText) this.model = new TextModel(data.model);
    if (data.card_alone) return this.showAlone();
    if (!sameText) this.text.setModel(this.model);
    this.root.style.setProperty("--rows", data.rows);
    this.text.pin(null);
    this.text.show(this.k);
    this.showCard(this.model.firstLearnedToken(this.k));
    this.reservedFor = null;
    this.reserve();
  }

  showAlone() {
    this.root.classList.add("alone");
    Object.assign(this.card, { alone: true, folded: false });
    this.showCard(this.model.tokenAt(0, this.k));
    requestAnimationFrame(() => this.root.scrollIntoView({ block: "nearest" }));
  }

  // The card is as high as its fullest token needs: nothing is cut, and the page does not jump from token to token.
  reserve() {
    const width = this.card.root.clientWidth;
    if (!this.model || this.card.alone || !width || width === this.reservedFor) return;
    this.reservedFor = width;
    const { token, root } = this.card;
    root.style.minHeight = "";
    let height = 0;
    for (const each of this.differentTokens()) {
      this.showCard(each);
      height = Math.max(height, root.offsetHeight);
    }
    root.style.minHeight = `${height}px`;
    this.root.style.setProperty("--card-height", root.style.minHeight); // the text beside it ends where the card ends
    this.showCard(this.pinned ?? token);
  }

  differentTokens() {
    const byKey = new Map();
    for (let i = 0; i < this.model.bytes.length && byKey.size < MOST_MEASURED; ) {
      const token = this.model.tokenAt(i, this.k);
      byKey.set(this.card.keyOf(token), token);
      i = token.end;
    }
    return byKey.values();
  }

  showCard(token) {
    this.card.show(this.model, token, this.k, { pinned: this.pinned !== null });
  }

  pick(token) {
    const unpins = !token || (this.pinned && this.pinned.start === token.start && this.pinned.end === token.end);
    this.pinned = unpins ? null : token;
    this.text.pin(this.pinned ? token.symbol : null, token?.start, token?.id);
    this.showCard(token ?? this.card.token);
  }
}

const tokenStrips = new WeakMap();

export default function ({ data, parentElement }) {
  if (!tokenStrips.has(parentElement)) tokenStrips.set(parentElement, new TokenStrip(parentElement));
  tokenStrips.get(parentElement).update(data);
  return () => {
    tokenStrips.get(parentElement)?.destroy();
    tokenStrips.delete(parentElement);
  };
}
