// Joins the functions of d3 that the views use into one module, from the installed npm packages.
//
//   node vendor.mjs write    rewrites crates/views/vendor
//   node vendor.mjs check    fails if a file of crates/views/vendor differs from what the packages yield
//
// PACKAGES is the folder from which Node finds the installed packages, VIEWS the folder crates/views.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const packages = process.env.PACKAGES ?? '';
const folder = join(process.env.VIEWS ?? '', 'vendor');
const { buildSync } = createRequire(join(packages, 'package.json'))('esbuild');
// The folder of the lock file. PACKAGES is its subfolder clients/pictures.
const workspace = realpathSync(join(packages, '..', '..'));
const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8'));

const entry = readFileSync(new URL('d3.mjs', import.meta.url), 'utf8');
const built = buildSync({
  absWorkingDir: workspace,
  stdin: { contents: entry, resolveDir: packages },
  bundle: true,
  format: 'iife',
  globalName: 'd3',
  legalComments: 'none',
  metafile: true,
  minify: true,
  target: 'es2022',
  write: false,
});
const names = [...entry.matchAll(/export \{ (.+?) \}/g)].flatMap(([, list]) => list.split(', ')).sort();
const used = new Set(
  Object.values(built.metafile.outputs).flatMap((output) => Object.entries(output.inputs))
    .filter(([, input]) => input.bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/[^/]+(?=\/)/.exec(path)?.[0])
    .filter((path) => path !== undefined),
);

const libraries = [...used].map((path) => {
  const { name, version, license } = JSON.parse(readFileSync(join(workspace, path, 'package.json'), 'utf8'));
  const licence = readFileSync(join(workspace, path, 'LICENSE'), 'utf8').trim();
  return { name, version, license, licence, integrity: lock.packages[path].integrity };
}).sort((one, other) => (one.name < other.name ? -1 : 1));
const licences = libraries.map(({ name, version, licence }) => `${name} ${version}\n\n${licence}\n`).join('\n\n');

// Each licence text is kept once in the module, below the copyright lines of its libraries.
const texts = new Map();
for (const { name, version, licence } of libraries) {
  const [copyright, ...text] = licence.split('\n');
  const key = text.join('\n').trim();
  texts.set(key, [...(texts.get(key) ?? []), `${name} ${version}: ${copyright}`]);
}
const notice = [...texts].map(([text, lines]) => `${lines.join('\n')}\n\n${text}`).join('\n\n');
const script = `/*!\n${notice.replaceAll('*/', '')}\n*/\n${built.outputFiles[0].text.trim()}\nexport const { ${names.join(', ')} } = d3;\n`;

const sha256 = createHash('sha256').update(script).digest('hex');
const table = [
  '# The libraries in d3.js. `cargo lab clients pictures` compares this folder with the packages.',
  `# d3.js has the SHA-256 ${sha256}.`,
  'package\tversion\tlicence\tintegrity',
  ...libraries.map(({ name, version, license, integrity }) => [name, version, license, integrity].join('\t')),
  '',
].join('\n');

const files = { 'd3.js': script, 'libraries.tsv': table, 'LICENSES.txt': licences };
let differences = 0;
for (const [name, text] of Object.entries(files)) {
  const path = join(folder, name);
  if (process.argv[2] === 'write') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`crates/views/vendor/${name} differs from the packages: run vendor.mjs write`);
    differences += 1;
  }
}
console.log(`vendor: ${libraries.length} libraries, ${script.length} bytes, SHA-256 ${sha256}`);
process.exitCode = differences === 0 ? 0 : 1;
