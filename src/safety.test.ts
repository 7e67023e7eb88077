import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SELF = 'src/safety.test.ts';

/** What may lie at the top, and nothing beside it. */
const TOP = new Set(
  `package.json vite.config.ts index.html src e2e public README.md package-lock.json tsconfig.json LICENSE
   .gitignore .oxlintrc.json .oxfmtrc.json .ci`.split(/\s+/),
);

const FOLDERS =
  'app boot pages resources chart export case-file list operations team storage api ui lib database sandbox gateway tests'.split(
    ' ',
  );

/** The import table: what each folder may import of ours beside its own files. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  ui: ['lib'],
  api: ['lib'],
  storage: ['lib'],
  list: ['api', 'ui', 'storage', 'lib'],
  chart: ['list', 'api', 'ui', 'storage', 'lib'],
  export: ['list', 'api', 'ui', 'storage', 'lib'],
  'case-file': ['list', 'api', 'ui', 'storage', 'lib'],
  boot: ['list/filters', 'api', 'lib'],
  resources: ['chart', 'export', 'case-file', 'list', 'storage', 'api', 'ui', 'lib'],
  pages: ['resources', 'chart', 'export', 'case-file', 'list', 'storage', 'api', 'ui', 'lib'],
  app: ['pages', 'resources', 'chart', 'export', 'case-file', 'list', 'storage', 'api', 'ui', 'lib'],
  database: ['lib'],
  operations: ['database', 'api/*ontract.ts', 'lib'],
  team: ['database', 'api/*ontract.ts', 'lib'],
  sandbox: ['database', 'api/contract.ts', 'lib'],
  gateway: ['operations', 'team', 'sandbox', 'database', 'api/*ontract.ts', 'lib'],
};

/** Packages that a folder may not import, beside folders of ours. */
const FORBIDDEN_PACKAGES: [folder: string, specifier: string][] = [
  ...['lib', 'ui', 'api', 'storage', 'list', 'chart', 'export', 'case-file', 'resources', 'pages', 'app'].flatMap(
    (folder): [string, string][] => [
      [folder, 'node:fs'],
      [folder, 'hono'],
      [folder, '@electric-sql/pglite'],
    ],
  ),
  ...Object.keys(MAY_IMPORT).map((folder): [string, string] => [folder, 'decimal.js']),
  ...['lib', 'database', 'operations', 'team', 'sandbox', 'gateway'].map((folder): [string, string] => [
    folder,
    'react',
  ]),
  ['ui', 'react-router'],
];

/** Every file that is ours, by its path from the top; what .gitignore names is not. */
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

/** The files in which a pattern is found, each with the line. */
function found(pattern: RegExp, among: readonly string[] = code): string[] {
  return among.flatMap((file) =>
    text(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

/** What a file imports, by any of the ways to do it, lazily too. */
function importsOf(file: string): string[] {
  const ways = /\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...text(file).matchAll(ways)].map((match) => match[1] ?? match[2] ?? '');
}

/** What the linter says of a folder: file and rule, by file. */
function codesOf(folder: string, ...more: string[]): [file: string, rule: string][] {
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const args = [linter, '--format=json', ...more, '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const report: { diagnostics: { filename: string; code: string }[] } = JSON.parse(stdout);
  return report.diagnostics
    .map(({ filename, code }): [string, string] => [filename, code])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

const folderOf = (file: string): string => file.split('/')[1] ?? '';

const areaOf = (path: string): string => path.split('/').slice(0, 2).join('/');

function mayImport(file: string, specifier: string): boolean {
  const folder = folderOf(file);
  const target = specifier.replace('#src/', '');
  if (folder === 'pages' && target.startsWith('pages/')) return areaOf(target) === areaOf(file.replace('src/', ''));
  if (target.startsWith(`${folder}/`)) return true;
  return (MAY_IMPORT[folder] ?? []).some((allowed) => {
    const [before = '', after] = allowed.split('*');
    if (after !== undefined) return target.startsWith(before) && target.endsWith(after);
    return target === allowed || target.startsWith(`${allowed}/`);
  });
}

describe('the shape of the house', () => {
  test('the top level is exactly the list', () => {
    expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(TOP);
  });

  test('src holds the known folders, main.tsx, this file and the compiler’s settings', () => {
    const inside = new Set(files.filter((file) => file.startsWith('src/')).map(folderOf));
    const besides = [...inside].filter((name) => !FOLDERS.includes(name) && !/^tsconfig\.\w+\.json$/.test(name));
    expect(new Set(besides)).toEqual(new Set(['main.tsx', 'safety.test.ts']));
  });

  test('no drawer folders, no barrels, nothing but ours and one purpose', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|types|hooks)(\/|\.tsx?$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /^(src|e2e)\/.*\bindex\.[tj]sx?$/.test(file))).toEqual([]);
  });
});

test('only lib/locale.ts formats in the browser’s language: it need not be a valid tag, and a formatter throws', () => {
  const inBrowser = code.filter((file) => file.startsWith('src/') && !isTest(file) && file !== 'src/lib/locale.ts');
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
  let house: string;

  const plant = (folder: string, specifier: string): string => {
    const inside = folder === 'pages' ? 'pages/area' : folder;
    const file = `src/${inside}/planted${planted.size}.ts`;
    planted.set(file, `import { thing } from '${specifier}';\n\nexport const planted = thing;\n`);
    return file;
  };
  const ours = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) =>
    FOLDERS.filter((target) => target !== folder || folder === 'pages').flatMap((target) => {
      const specifier = `#src/${target}/thing.ts`;
      const isAllowed = allowed.includes(target);
      return { folder, specifier, isAllowed, file: plant(folder, specifier) };
    }),
  );
  const contract = ['api', 'sandbox', 'gateway'].map((folder) => plant(folder, '#src/api/contract.ts'));
  const ownContract = '#src/api/gatewayContract.ts';
  const [forGateway, forSandbox] = [plant('gateway', ownContract), plant('sandbox', ownContract)];
  const packages = FORBIDDEN_PACKAGES.map(([folder, specifier]) => ({
    folder,
    specifier,
    file: plant(folder, specifier),
  }));
  const upward = Object.keys(MAY_IMPORT).map((folder) => plant(folder, '../lib/thing.ts'));

  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'countinghouse-safety-'));
    const config: { options: object } = JSON.parse(text('.oxlintrc.json'));
    writeFileSync(join(house, '.oxlintrc.json'), JSON.stringify({ ...config, options: { typeAware: false } }));
    cpSync(join(ROOT, 'package.json'), join(house, 'package.json'));
    planted.set('src/api/contract.ts', `import { thing } from './thing.ts';\n\nexport const planted = thing;\n`);
    for (const [file, content] of planted) {
      mkdirSync(join(house, dirname(file)), { recursive: true });
      writeFileSync(join(house, file), content);
    }
    caught = new Map();
    for (const [file, rule] of codesOf(house)) caught.set(file, [...(caught.get(file) ?? []), rule]);
  });
  afterAll(() => rmSync(house, { recursive: true, force: true }));

  const law = 'eslint(no-restricted-imports)';

  test.each(ours)('$folder → $specifier, allowed: $isAllowed', ({ file, isAllowed }) => {
    expect((caught.get(file) ?? []).includes(law)).toBe(!isAllowed);
  });

  test.each(packages)('$folder never imports $specifier', ({ file }) => {
    expect(caught.get(file)).toContain(law);
  });

  test('contract.ts is open to the servers, and imports nothing itself', () => {
    for (const file of contract) expect(caught.get(file) ?? []).not.toContain(law);
    expect(caught.get('src/api/contract.ts')).toContain(law);
    expect(caught.get(forGateway) ?? []).not.toContain(law);
    expect(caught.get(forSandbox)).toContain(law);
  });

  test('nobody climbs with ../', () => {
    for (const file of upward) expect(caught.get(file), file).toContain('import(no-relative-parent-imports)');
  });

  test('the real files keep it too, lazy imports included', () => {
    const broken = code
      .filter((file) => !isTest(file) && MAY_IMPORT[folderOf(file)] !== undefined)
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith('#src/') && !mayImport(file, specifier))
          .map((specifier) => `${file} → ${specifier}`),
      );
    expect(broken).toEqual([]);
  });

  test('of the product only lib/money.ts imports decimal.js', () => {
    const product = code.filter((file) => file.startsWith('src/'));
    expect(product.filter((file) => importsOf(file).includes('decimal.js'))).toEqual(['src/lib/money.ts']);
  });
});

describe('what the linter knows of types', () => {
  const PLANTED = {
    'src/pages/area/fallsThrough.ts': `type Kind = 'withdrawal' | 'charge' | 'webhook-replay';

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
    'src/list/rounds.ts': 'export const planted: unknown = JSON.parse(JSON.stringify(7));\n',
    'src/lib/knowsNode.ts': 'export const planted = process.pid;\n',
    'src/database/knowsPages.ts': 'export const planted = document.title;\n',
    'src/tests/knowsBoth.ts': 'export const planted = [process.pid, document.title];\n',
    'src/gateway/isNone.ts': "export const planted: number = 'none';\n",
  };
  const SETTINGS = ['tsconfig.json', ...['base', 'browser', 'server'].map((name) => `src/tsconfig.${name}.json`)];
  const house = mkdtempSync(join(tmpdir(), 'countinghouse-types-'));
  afterAll(() => rmSync(house, { recursive: true, force: true }));

  test('a kind that a switch has no case for, JSON that rounds, and what the compiler refuses on each side', () => {
    for (const file of ['.oxlintrc.json', 'package.json', ...SETTINGS, 'src/tests/tsconfig.json']) {
      mkdirSync(dirname(join(house, file)), { recursive: true });
      cpSync(join(ROOT, file), join(house, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'), 'dir');
    for (const [file, content] of Object.entries(PLANTED)) {
      mkdirSync(join(house, dirname(file)), { recursive: true });
      writeFileSync(join(house, file), content);
    }
    expect(codesOf(house, '--type-check')).toEqual([
      ['src/database/knowsPages.ts', 'typescript(TS2584)'],
      ['src/gateway/isNone.ts', 'typescript(TS2322)'],
      ['src/lib/knowsNode.ts', 'typescript(TS2591)'],
      ['src/list/rounds.ts', 'eslint(no-restricted-properties)'],
      ['src/list/rounds.ts', 'eslint(no-restricted-properties)'],
      ['src/pages/area/fallsThrough.ts', 'typescript(switch-exhaustiveness-check)'],
    ]);
  });
});

describe('habits', () => {
  test.each([
    [
      'a skipped or focused test',
      /\b(test|it|describe)\.(skip|only|todo|fixme|fails|skipIf|runIf)\b|\bx(it|describe)\(/,
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

  test('no amount becomes a number', () => {
    const amount = String.raw`(\w+\??\.)*\w*(amount|fee|available|pending|locked|total)\w*\s*[),]`;
    const money = new RegExp(String.raw`\b(Number|parseFloat|parseInt|Number\.parse\w+)\(\s*${amount}`, 'i');
    const product = code.filter((file) => !isTest(file) && file.startsWith('src/'));
    expect(found(money, product)).toEqual([]);
    expect(found(/[=(,?:]\s*\+\w*\.?(amount|received_amount|fee|available|pending|locked|total)\b/, product)).toEqual(
      [],
    );
  });

  test('no machine’s paths and no registry’s host in any file', () => {
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

  test('the lock file names no host, and agrees with the versions', () => {
    expect(text('package-lock.json')).not.toContain('"resolved"');
    const lock: { packages: Record<string, Packages & { version: string }> } = JSON.parse(text('package-lock.json'));
    const { dependencies, devDependencies } = manifest;
    expect(lock.packages['']).toMatchObject({ dependencies, devDependencies });
  });
});
