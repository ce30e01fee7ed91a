/** Creates elements. Text becomes text nodes and never markup, so that texts of third parties cannot become elements.
 * @typedef {string | number | boolean | undefined | ((event: any) => void)} AttributeValue
 * @typedef {Node | string | undefined | false} Child */

const SVG = 'http://www.w3.org/2000/svg';

/** Sets attributes. `undefined` and `false` set none, `true` sets an empty one, a function listens to the event whose name
 * follows `on`, and `series` is the colour of a series.
 * @param {HTMLElement | SVGElement} target @param {Record<string, AttributeValue>} attributes */
function setAttributes(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'series' && value) {
      target.style.color = `var(--${value})`;
    } else if (typeof value === 'function') {
      target.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== false) {
      target.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

/** Creates an HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, AttributeValue>} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]} */
export function element(tag, attributes = {}, ...children) {
  const created = document.createElement(tag);
  setAttributes(created, attributes);
  append(created, children);
  return created;
}

/** Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, AttributeValue>} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]} */
export function svgElement(tag, attributes = {}, ...children) {
  const created = document.createElementNS(SVG, tag);
  setAttributes(created, attributes);
  append(created, children);
  return created;
}

/** Appends children and skips absent ones. @param {Element} target @param {Child[]} children */
export function append(target, children) {
  for (const child of children) {
    if (child !== undefined && child !== false) {
      target.append(child);
    }
  }
}

/** Returns a text of a third party, whose direction of writing does not change that of the text around it.
 * @param {string} text */
export function foreignText(text) {
  return element('bdi', {}, text);
}
