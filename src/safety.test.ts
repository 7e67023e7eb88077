import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { IMPORT_TABLE, markdownTable, withImportRules } from '#src/tests/importTable.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SELF = 'src/safety.test.ts';

/** The only files and folders allowed at the top level. */
const TOP = new Set(
  `package.json vite.config.ts index.html src e2e public README.md package-lock.json tsconfig.json LICENSE
   .gitignore .oxlintrc.json .oxfmtrc.json .ci deploy`.split(/\s+/),
);

const FOLDERS = new Set(['web', 'server', 'shared', 'sandbox', 'tests']);

/** Folders that the import table may name as a target. */
const TARGETS = [...IMPORT_TABLE.map(({ folder }) => folder), 'tests'];

/** Paths of all files that .gitignore doesn't exclude. */
function ourFiles(): string[] {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const isIgnored = (name: string): boolean =>
    name === '.git' ||
    ignored.some((line) => (line.startsWith('*') ? name.endsWith(line.slice(1)) : name === line.replace(/\/$/, '')));
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (isIgnored(entry.name)) return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [relative(ROOT, path)];
    });
  return walk(ROOT);
}

const files = ourFiles();
const code = files.filter((file) => /\.(tsx?|js)$/.test(file) && file !== SELF);
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const isTest = (file: string): boolean => /\.test\.tsx?$|^src\/tests\/|^e2e\//.test(file);

/** The files that contain a pattern, each with the line. */
function found(pattern: RegExp, among: readonly string[] = code): string[] {
  return among.flatMap((file) =>
    text(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

/** The import specifiers of a file, including dynamic imports. */
function importsOf(file: string): string[] {
  const ways = /\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...text(file).matchAll(ways)].map((match) => match[1] ?? match[2] ?? '');
}

/** The files and packages that the file loads when it starts: no dynamic imports, no types. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, specifier = ''] of text(file).matchAll(/^(?:import|export) (?!type\b)[^;]*?from ['"]([^'"]+)['"]/gm)) {
    if (specifier.startsWith('#src/')) loadedBy(specifier.slice(1), loaded);
    else if (specifier.startsWith('./')) loadedBy(join(dirname(file), specifier), loaded);
    else loaded.add(specifier);
  }
  return loaded;
}

/** The linter's findings in a folder: file and rule. */
function codesOf(folder: string, ...more: string[]): [file: string, rule: string][] {
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const args = [linter, '--format=json', ...more, '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const report: { diagnostics: { filename: string; code: string }[] } = JSON.parse(stdout);
  return report.diagnostics
    .map(({ filename, code }): [string, string] => [filename, code])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The row of the import table that a file belongs to. */
const rowOf = (file: string) => IMPORT_TABLE.findLast(({ folder }) => file.startsWith(`src/${folder}/`));

function mayImport(file: string, specifier: string): boolean {
  const row = rowOf(file);
  if (row === undefined) return true;
  const isIn = (path: string): boolean => specifier.startsWith(`#src/${path}/`);
  return [row.folder, ...row.mayImport, 'shared'].some(isIn);
}

describe('the files of the repository', () => {
  test('the top level is exactly the list', () => {
    expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(TOP);
  });

  test('src holds the five folders, a README, this file and the compiler’s settings', () => {
    const inside = new Set(files.filter((file) => file.startsWith('src/')).map((file) => file.split('/')[1] ?? ''));
    const others = [...inside].filter((name) => !FOLDERS.has(name) && !/^tsconfig\.\w+\.json$/.test(name));
    expect(others).toEqual(['README.md', 'safety.test.ts']);
  });

  test('no catch-all folders and no barrel files', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|types|hooks)(\/|\.tsx?$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /^(src|e2e)\/.*\bindex\.[tj]sx?$/.test(file))).toEqual([]);
  });
});

test('only shared/locale.ts formats in the browser’s language, since an invalid tag makes a formatter throw', () => {
  const inBrowser = code.filter((file) => file.startsWith('src/') && !isTest(file) && file !== 'src/shared/locale.ts');
  const readsLocale = [
    /\bIntl\.\w+\((?!'en'[,)])/,
    /\.toLocale\w+\((?!'en'[,)])/,
    /\.localeCompare\((?!.*, 'en'[,)])/,
    /\bnavigator\??\.languages?\b/,
  ];
  expect(readsLocale.flatMap((pattern) => found(pattern, inBrowser))).toEqual([]);
});

describe('the import table', () => {
  const planted = new Map<string, string>();
  let caught: Map<string, string[]>;
  let project: string;

  const plant = (folder: string, specifier: string): string => {
    const file = `src/${folder}/${folder === 'web/pages' ? 'area/' : ''}planted${planted.size}.ts`;
    planted.set(file, `import { thing } from '${specifier}';\n\nexport const planted = thing;\n`);
    return file;
  };
  const ours = IMPORT_TABLE.flatMap(({ folder, mayImport: allowed }) =>
    TARGETS.filter((target) => target !== folder || folder === 'web/pages').map((target) => {
      const isAllowed = ['shared', ...allowed].some((name) => target === name || target.startsWith(`${name}/`));
      const specifier = `#src/${target}/thing.ts`;
      return { folder, specifier, isAllowed, file: plant(folder, specifier) };
    }),
  );
  const packages = IMPORT_TABLE.flatMap(({ folder, forbidden }) =>
    forbidden.map((pattern) => {
      const specifier = pattern.replace('**', 'thing').replace('*', 'fs');
      return { folder, specifier, file: plant(folder, specifier) };
    }),
  );
  const upward = IMPORT_TABLE.map(({ folder }) => plant(folder, '../other/thing.ts'));

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'countinghouse-safety-'));
    const config: { options: object } = JSON.parse(text('.oxlintrc.json'));
    writeFileSync(join(project, '.oxlintrc.json'), JSON.stringify({ ...config, options: { typeAware: false } }));
    cpSync(join(ROOT, 'package.json'), join(project, 'package.json'));
    planted.set(
      'src/shared/contract/contract.ts',
      `import { thing } from './thing.ts';\n\nexport const planted = thing;\n`,
    );
    for (const [file, content] of planted) {
      mkdirSync(join(project, dirname(file)), { recursive: true });
      writeFileSync(join(project, file), content);
    }
    caught = new Map();
    for (const [file, rule] of codesOf(project)) caught.set(file, [...(caught.get(file) ?? []), rule]);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  const law = 'eslint(no-restricted-imports)';

  test('the linter’s settings are generated from the table (npx vitest run src/safety.test.ts -u)', async () => {
    const config = JSON.parse(text('.oxlintrc.json'));
    await expect(withImportRules(config)).toMatchFileSnapshot('../.oxlintrc.json');
  });

  test('a server starts without what only some settings need', () => {
    const loaded = loadedBy('src/server/commands/start.ts');
    expect(loaded).toContain('@simplewebauthn/server');
    for (const only of ['openid-client', 'nodemailer', 'src/sandbox/sandbox.ts', 'src/server/people/demoPeople.ts'])
      expect(loaded).not.toContain(only);
  });

  test('src/README.md quotes the table', () => {
    const withoutPadding = text('src/README.md').replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
    expect(withoutPadding).toContain(markdownTable());
  });

  test.each(ours)('$folder → $specifier, allowed: $isAllowed', ({ file, isAllowed }) => {
    expect((caught.get(file) ?? []).includes(law)).toBe(!isAllowed);
  });

  test.each(packages)('$folder never imports $specifier', ({ file }) => {
    expect(caught.get(file)).toContain(law);
  });

  test('contract.ts imports nothing', () => {
    expect(caught.get('src/shared/contract/contract.ts')).toContain(law);
  });

  test('no import uses ../', () => {
    for (const file of upward) expect(caught.get(file), file).toContain('import(no-relative-parent-imports)');
  });

  test('all files follow the table, dynamic imports included', () => {
    const broken = code
      .filter((file) => !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith('#src/') && !mayImport(file, specifier))
          .map((specifier) => `${file} → ${specifier}`),
      );
    expect(broken).toEqual([]);
  });

  test('only shared/money.ts imports decimal.js', () => {
    const product = code.filter((file) => file.startsWith('src/'));
    expect(product.filter((file) => importsOf(file).includes('decimal.js'))).toEqual(['src/shared/money.ts']);
  });
});

describe('type-aware lint rules', () => {
  const PLANTED = {
    'src/web/pages/area/fallsThrough.ts': `type Kind = 'withdrawal' | 'charge' | 'webhook-replay';

export function planted(kind: Kind): string {
  switch (kind) {
    case 'withdrawal':
      return 'Withdrawal';
    case 'webhook-replay':
      break;
  }
  return 'Webhook replay';
}
`,
    'src/web/list/rounds.ts': 'export const planted: unknown = JSON.parse(JSON.stringify(7));\n',
    'src/shared/knowsNode.ts': 'export const planted = process.pid;\n',
    'src/server/database/knowsPages.ts': 'export const planted = document.title;\n',
    'src/tests/knowsBoth.ts': 'export const planted = [process.pid, document.title];\n',
    'src/server/http/isNone.ts': "export const planted: number = 'none';\n",
  };
  const SETTINGS = ['tsconfig.json', ...['base', 'browser', 'server'].map((name) => `src/tsconfig.${name}.json`)];
  const project = mkdtempSync(join(tmpdir(), 'countinghouse-types-'));
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('report a missing case of a switch, JSON that rounds, and names of the wrong platform', () => {
    for (const file of ['.oxlintrc.json', 'package.json', ...SETTINGS, 'src/tests/tsconfig.json']) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      cpSync(join(ROOT, file), join(project, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'dir');
    for (const [file, content] of Object.entries(PLANTED)) {
      mkdirSync(join(project, dirname(file)), { recursive: true });
      writeFileSync(join(project, file), content);
    }
    expect(codesOf(project, '--type-check')).toEqual([
      ['src/server/database/knowsPages.ts', 'typescript(TS2584)'],
      ['src/server/http/isNone.ts', 'typescript(TS2322)'],
      ['src/shared/knowsNode.ts', 'typescript(TS2591)'],
      ['src/web/list/rounds.ts', 'eslint(no-restricted-properties)'],
      ['src/web/list/rounds.ts', 'eslint(no-restricted-properties)'],
      ['src/web/pages/area/fallsThrough.ts', 'typescript(switch-exhaustiveness-check)'],
    ]);
  });
});

describe('coding rules', () => {
  test.each([
    [
      'a skipped or focused test',
      /\b(test|it|describe)\.(skip|only|todo|fixme|fails|skipIf|runIf(?!\(DEEP\)))\b|\bx(it|describe)\(/,
    ],
    ['waiting by the clock', /waitForTimeout/],
    ['the linter silenced', /(oxlint|eslint)-(disable|enable)/],
    ['the compiler silenced', /@ts-(ignore|nocheck|expect-error)/],
    ['any', /\bas any(?!['’\w])|:\s*any\b(?!\w*\()|<any\b|\bany\[\]|, any>/],
    ['HTML from strings', /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/],
    ['evaluated strings', /\beval\(|new Function\(/],
  ])('no %s', (_, pattern) => {
    const lines = found(pattern).filter((line) => !/:\d+ (\/\/|\*|\/\*)/.test(line));
    expect(lines).toEqual([]);
  });

  test('no amount is converted to a number', () => {
    const amount = String.raw`(\w+\??\.)*\w*(amount|fee|available|pending|locked|total)\w*\s*[),]`;
    const money = new RegExp(String.raw`\b(Number|parseFloat|parseInt|Number\.parse\w+)\(\s*${amount}`, 'i');
    const product = code.filter((file) => !isTest(file) && file.startsWith('src/'));
    expect(found(money, product)).toEqual([]);
    expect(found(/[=(,?:]\s*\+\w*\.?(amount|received_amount|fee|available|pending|locked|total)\b/, product)).toEqual(
      [],
    );
  });

  test('no file contains local paths or a registry’s host', () => {
    const texts = files.filter((file) => !/\.(png|svg|ico|woff2?)$/.test(file));
    expect(found(/["'`\s=(]\/(work|tmp|root)\/|registry\.\w+\.\w|npmmirror\./, texts)).toEqual([]);
  });
});

describe('packages', () => {
  interface Packages {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  }
  const manifest: Packages = JSON.parse(text('package.json'));

  test('every version is exact', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });

  test('the lock file names no host and has the declared versions', () => {
    expect(text('package-lock.json')).not.toContain('"resolved"');
    const lock: { packages: Record<string, Packages & { version: string }> } = JSON.parse(text('package-lock.json'));
    const { dependencies, devDependencies } = manifest;
    expect(lock.packages['']).toMatchObject({ dependencies, devDependencies });
  });
});
