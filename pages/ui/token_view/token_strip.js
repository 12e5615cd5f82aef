// A strip: a short text in tokens at one size, with the token card beside it. No bar, no figures.

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
    this.card = new TokenCard(cardPlace, { onPin: (token) => this.pick(token) });
    this.following = followWidth(this.root);
  }

  destroy() {
    this.following.disconnect();
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
    if (!sameText) {
      this.model = new TextModel(data.model);
      this.text.setModel(this.model);
      this.root.style.setProperty("--rows", data.rows);
    }
    this.text.pin(null);
    this.text.show(this.k);
    this.showCard(this.model.firstLearnedToken(this.k));
  }

  showCard(token) {
    this.card.show(this.model, token, this.k, { pinned: this.pinned !== null });
  }

  pick(token) {
    const unpins = !token || (this.pinned && this.pinned.start === token.start && this.pinned.end === token.end);
    this.pinned = unpins ? null : token;
    this.text.pin(this.pinned ? token.symbol : null, token?.start, token?.id);
    if (token) this.showCard(token);
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
