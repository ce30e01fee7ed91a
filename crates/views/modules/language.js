/**
 * The language of the page. English is part of the script; the texts of another language are a file of their own, of which
 * the page reads one.
 */

import { choiceSelect } from './controls.js';
import { setLocale } from './numbers.js';
import { addressLanguage, parsePlace, placeFragment } from './router.js';
import { TEXT } from './text.js';

/** The languages by their codes, each with its own name. */
const LANGUAGES = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  'pt-PT': 'Português (Portugal)',
};

/** Returns the code of the language of a locale, or nothing if the page does not have it.
 * @param {string | undefined} tag a BCP 47 language tag */
function languageCode(tag = '') {
  const [language = '', region = 'BR'] = tag.split('-');
  const code = language === 'pt' ? `pt-${region === 'BR' ? 'BR' : 'PT'}` : language;
  return Object.hasOwn(LANGUAGES, code) ? code : undefined;
}

/** Returns the language that the address names, otherwise the first of the browser's that the page has. */
function selectedLanguage() {
  const known = [addressLanguage(), ...navigator.languages].map(languageCode);
  return known.find((code) => code !== undefined) ?? 'en';
}

const language = selectedLanguage();

/** Returns true if the address names another language than that of the page. */
export function isOtherLanguage() {
  return selectedLanguage() !== language;
}

/** Reads the texts of the language. Without them the page is in English. */
export async function loadLanguage() {
  const file = new URL(`${language}.js`, import.meta.url).href;
  const texts = language === 'en' ? undefined : await import(file).catch(() => undefined);
  Object.assign(TEXT, texts?.default);
  const shown = texts === undefined ? 'en' : language;
  document.documentElement.lang = shown;
  // The browser's locale of the language also has a region, such as that of Switzerland.
  setLocale(navigator.languages.find((tag) => languageCode(tag) === shown) ?? shown);
}

/** Returns the list of languages for the account menu. */
export function languageSelect() {
  return choiceSelect({ id: 'language' }, Object.entries(LANGUAGES), language, (code) => {
    const { name, parameters } = parsePlace(location.hash);
    location.hash = placeFragment(name || 'home', { ...parameters, language: code });
  });
}
