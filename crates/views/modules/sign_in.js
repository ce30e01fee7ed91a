/** The view of a reader without a session. */

import { element } from './dom.js';
import { Failure, signInAddress, useToken } from './session.js';
import { TEXT } from './text.js';

/** Returns the view.
 * @param {object} options @param {string} options.path the place in the page to which the reader returns
 * @param {string | undefined} options.message why the reader sees this view
 * @param {() => void} options.done called when a session has started */
export function signInView({ path, message, done }) {
  const address = signInAddress(path);
  const problem = element('p', { class: 'note warning', role: 'alert', hidden: message === undefined }, message);
  return element(
    'div',
    { class: 'card sign-in' },
    element('h1', {}, TEXT.product),
    element('p', { class: 'muted' }, TEXT.signInText),
    problem,
    address && element('a', { class: 'button primary', href: address }, TEXT.signInProvider),
    tokenForm(problem, done),
  );
}

/** @param {HTMLElement} problem @param {() => void} done */
function tokenForm(problem, done) {
  const token = element('input', {
    id: 'token',
    name: 'token',
    type: 'password',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'token-hint',
  });
  const button = element('button', { type: 'submit' }, TEXT.tokenSubmit);
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    problem.hidden = true;
    try {
      await useToken(token.value.trim());
      done();
    } catch (error) {
      const isRefused = error instanceof Failure && (error.status === 401 || error.status === 403);
      problem.textContent = isRefused || !(error instanceof Error) ? TEXT.tokenRefused : error.message;
      problem.hidden = false;
      button.disabled = false;
      token.select();
    }
  }
  return element(
    'form',
    { onsubmit: submit },
    element('label', { for: 'token' }, TEXT.tokenLabel),
    token,
    element('p', { class: 'muted', id: 'token-hint' }, TEXT.tokenHint),
    button,
  );
}
