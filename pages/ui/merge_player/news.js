// News: draws nothing. It hands what the server counted at a pause to the film that is on the page.

export default function ({ data }) {
  globalThis[NEWS] = data;
  document.dispatchEvent(new Event(NEWS));
}
