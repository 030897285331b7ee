// Keeps a scrolling log where the reader left it while rows are added above, below or taken away.

const BOTTOM_SLACK = 48;
const LOOK_AHEAD = 900;

export class Placekeeper {
  #stick = true;
  #anchor = null;

  constructor(scroller) {
    this.scroller = scroller;
  }

  row(id) {
    return id ? this.scroller()?.querySelector(`[data-message="${id}"]`) : null;
  }

  #toEnd() {
    const box = this.scroller();
    return box ? box.scrollHeight - box.scrollTop - box.clientHeight : 0;
  }

  isAtBottom() {
    return this.#toEnd() <= BOTTOM_SLACK;
  }

  isNearBottom() {
    return this.#toEnd() < LOOK_AHEAD;
  }

  isNearTop() {
    return (this.scroller()?.scrollTop ?? Infinity) < LOOK_AHEAD;
  }

  toBottom() {
    const box = this.scroller();
    if (box) box.scrollTop = box.scrollHeight;
  }

  toRow(id) {
    this.row(id)?.scrollIntoView({ block: "center" });
  }

  // The first row in view and where it stands.
  firstInView() {
    const box = this.scroller();
    if (!box) return null;
    const edge = box.getBoundingClientRect().top;
    for (const row of box.querySelectorAll("[data-message]")) {
      const place = row.getBoundingClientRect();
      if (place.bottom > edge) return { id: row.dataset.message, top: place.top };
    }
    return null;
  }

  // Before a change: note what the reader looks at.
  measure(stick) {
    this.#stick = stick;
    this.#anchor = stick ? null : this.firstInView();
  }

  // After it: the same row back to the same distance.
  restore() {
    if (this.#stick) {
      this.toBottom();
      return;
    }
    const row = this.row(this.#anchor?.id);
    if (row) this.scroller().scrollTop += row.getBoundingClientRect().top - this.#anchor.top;
  }
}
