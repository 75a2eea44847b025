/**
 * Maps the scroll position, limited by the greatest height of an element, to the exact position in the table.
 *
 * Up to `maximumSpacer` pixels both are the same. Above, they are the same near both ends and proportional
 * between: a jump of the thumb goes to the proportional position, small movements (wheel, touch) are exact,
 * and the thumb is corrected when they end.
 */

/** Height of the tallest spacer, in pixels; Chromium allows 16 million at a display density of 2. */
const maximumSpacer = 8_000_000;
/** Height at both ends where both positions are the same, in pixels. */
const exactEnds = 200_000;

export class Scrolling {
  /** @param {HTMLElement} scroller @param {() => void} changed */
  constructor(scroller, changed) {
    this.scroller = scroller;
    this.changed = changed;
    /** Exact position, in pixels. */
    this.offset = 0;
    this.full = 0;
    this.body = 0;
    this.last = 0;
    this.timer = 0;
    /** -1 or 1, the direction of the last movement. */
    this.direction = 1;
    scroller.addEventListener('scroll', () => this.follow(), {passive: true});
  }

  get spacer() { return Math.min(this.full, maximumSpacer); }
  get isExact() { return this.full <= maximumSpacer; }
  get maximum() { return Math.max(this.full - this.body, 0); }
  get maximumTop() { return Math.max(this.spacer - this.body, 0); }

  /** Exact position for a scroll position. @param {number} top */
  offsetAt(top) {
    if (this.isExact || top <= exactEnds) return top;
    const fromEnd = this.maximumTop - top;
    if (fromEnd <= exactEnds) return this.maximum - fromEnd;
    return exactEnds + (top - exactEnds) * this.ratio;
  }

  /** Scroll position for an exact position. @param {number} offset */
  topAt(offset) {
    if (this.isExact || offset <= exactEnds) return offset;
    const fromEnd = this.maximum - offset;
    if (fromEnd <= exactEnds) return this.maximumTop - fromEnd;
    return exactEnds + (offset - exactEnds) / this.ratio;
  }

  get ratio() { return (this.maximum - 2 * exactEnds) / (this.maximumTop - 2 * exactEnds); }

  /** Sets the height of all rows and of the visible part, in pixels; the caller sets the spacer's height. */
  resize(full, body) {
    this.full = full;
    this.body = body;
    this.offset = Math.min(this.offset, this.maximum);
  }

  /** Follows a scroll event. */
  follow() {
    const top = this.scroller.scrollTop;
    const moved = top - this.last;
    this.last = top;
    if (moved !== 0) this.direction = Math.sign(moved);
    if (this.isExact || Math.abs(moved) > 3 * this.body) {
      this.offset = this.clamped(this.offsetAt(top));
    } else if (moved !== 0) {
      this.offset = this.clamped(this.offset + moved);
      const isAtEnd = top < 1 ? this.offset > 0 : top > this.maximumTop - 1 && this.offset < this.maximum;
      clearTimeout(this.timer);
      if (isAtEnd) this.correct();
      else if (Math.abs(this.topAt(this.offset) - top) >= 1) {
        this.timer = setTimeout(() => this.correct(), 150);
      }
    }
    this.changed();
  }

  clamped(offset) { return Math.min(Math.max(offset, 0), this.maximum); }

  /** Moves to an exact position, in pixels. */
  moveTo(offset) {
    const target = this.clamped(offset);
    if (target !== this.offset) this.direction = Math.sign(target - this.offset);
    this.offset = target;
    this.correct();
  }

  /** Moves the thumb to where the exact position is. */
  correct() {
    clearTimeout(this.timer);
    const top = this.topAt(this.offset);
    if (Math.abs(this.scroller.scrollTop - top) >= 0.5) this.scroller.scrollTop = top;
    this.last = this.scroller.scrollTop;
  }
}
