// What a component with a size bar and the server say to each other about the vocabulary size.
//
//   const talk = new SizeTalk({ tell(choice), onOutside(size) })
//   talk.begin({ size, told })      a new text, drawn at `size`
//   talk.choose(size)               the visitor has chosen a size: `tell` gets { size, number }
//   talk.hear({ size, told })       what the server says now; a size that was chosen elsewhere goes to `onOutside`
// Choices are numbered, and the server says which one it heard last (`told`): until that is our last one, the size
// that it names is an older one. A choice that is never heard, as after a lost connection, is given up in time.

const LATEST_ECHO_MS = 10_000;

class SizeTalk {
  constructor({ tell, onOutside }) {
    Object.assign(this, { tell, onOutside, number: 0, chosenAt: -Infinity });
  }

  begin({ size, told }) {
    this.size = size;
    this.number = Math.max(this.number, told);
    this.chosenAt = -Infinity;
  }

  choose(size) {
    if (size === this.size) return;
    this.size = size;
    this.number += 1;
    this.chosenAt = performance.now();
    this.tell({ size, number: this.number });
  }

  hear({ size, told }) {
    const isOlder = told < this.number && performance.now() - this.chosenAt < LATEST_ECHO_MS;
    if (isOlder || size === this.size) return;
    this.size = size;
    this.onOutside(size);
  }
}
