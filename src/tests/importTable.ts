// The import table: what each folder may import, beside its own files and `shared`. The linter's rules in .oxlintrc.json are
// generated from it, and src/README.md quotes it.

interface ImportRow {
  folder: string;
  /** Other folders of ours. */
  mayImport: readonly string[];
  /** Patterns of packages that it may not import. */
  forbidden: readonly string[];
}

interface LintConfig {
  overrides: { files: string[]; rules: Record<string, unknown> }[];
}

/** In this order: each may import what comes after it. */
const WEB_LAYERS = 'app pages resources send report export chart list api storage ui'.split(' ');

const SERVER_AREAS = [
  'server/notices',
  'server/jobs',
  'server/overview',
  'server/team',
  'server/operations',
  'server/people',
  'server/activity',
  'server/database',
];
const SERVER_PACKAGES = [
  'node:*',
  'hono',
  '@hono/**',
  '@electric-sql/**',
  'postgres',
  '@simplewebauthn/**',
  'openid-client',
  'nodemailer',
  'prom-client',
];
const WEB_PACKAGES = [
  'react',
  'react-dom',
  'react-router',
  '@tanstack/**',
  '@base-ui/**',
  'lucide-react',
  'react-hook-form',
  'react-day-picker',
];
const DECIMALS = 'decimal.js';

const web = (layer: string): string => `web/${layer}`;
const webRow = (layer: string, below: readonly string[]): ImportRow => ({
  folder: web(layer),
  mayImport: below.map(web),
  forbidden: [...SERVER_PACKAGES, DECIMALS, ...(layer === 'ui' ? ['react-router'] : [])],
});
const serverRow = (folder: string, mayImport: readonly string[]): ImportRow => ({
  folder,
  mayImport,
  forbidden: [...WEB_PACKAGES, DECIMALS],
});

export const IMPORT_TABLE: readonly ImportRow[] = [
  { folder: 'shared', mayImport: [], forbidden: [...SERVER_PACKAGES, ...WEB_PACKAGES, DECIMALS] },
  ...WEB_LAYERS.map((layer, index) => webRow(layer, WEB_LAYERS.slice(index + 1))),
  webRow('boot', ['resources', 'list', 'api', 'storage', 'ui']),
  serverRow('server/commands', ['server/http', ...SERVER_AREAS, 'sandbox']),
  serverRow('server/http', [...SERVER_AREAS, 'sandbox']),
  serverRow('server/notices', [
    'server/overview',
    'server/team',
    'server/operations',
    'server/people',
    'server/activity',
    'server/database',
  ]),
  serverRow('server/jobs', ['server/team', 'server/operations', 'server/people', 'server/database']),
  // Data that was read for pages proves nothing, so operations must not import it.
  serverRow('server/overview', ['server/team', 'server/operations', 'server/people', 'server/database']),
  serverRow('server/team', ['server/operations', 'server/people', 'server/database']),
  serverRow('server/operations', ['server/people', 'server/activity', 'server/database']),
  serverRow('server/people', ['server/activity', 'server/database']),
  serverRow('server/activity', ['server/database']),
  serverRow('server/database', []),
  serverRow('sandbox', ['server/database']),
];

const RESTRICTED = 'no-restricted-imports';

function restrict(mayImport: readonly string[], forbidden: readonly string[]): Record<string, unknown> {
  const group = ['#src/**', ...mayImport.map((folder) => `!#src/${folder}/**`), ...forbidden];
  return { [RESTRICTED]: ['error', { patterns: [{ message: 'See the import table in README.md.', group }] }] };
}

/** The text of the linter's settings with the rules of the table in place of those they have. */
export function withImportRules(config: LintConfig): string {
  const rows = IMPORT_TABLE.map(({ folder, mayImport, forbidden }) => {
    // A page imports its own files by ./, so any #src/web/pages is another page.
    const own = folder === 'web/pages' ? [] : [folder];
    return { files: [`src/${folder}/**`], rules: restrict([...own, ...mayImport, 'shared'], forbidden) };
  });
  const money = { files: ['src/shared/money.ts'], rules: restrict(['shared'], [...SERVER_PACKAGES, ...WEB_PACKAGES]) };
  const contract = {
    files: ['src/shared/contract/contract.ts'],
    rules: { [RESTRICTED]: ['error', { patterns: [{ regex: '.', message: 'contract.ts imports nothing.' }] }] },
  };
  const others = config.overrides.filter(({ rules }) => !Array.isArray(rules[RESTRICTED]));
  const text = JSON.stringify({ ...config, overrides: [...rows, money, contract, ...others] }, null, 2);
  const onOneLine = (list: string): string =>
    list
      .replaceAll(/\s*\n\s*/g, ' ')
      .replace('[ ', '[')
      .replace(' ]', ']');
  return `${text.replaceAll(/\[\n\s+"[^[\]{}]*"\n\s+\]/g, onOneLine)}\n`;
}

/** The table as the README shows it, without padding. */
export function markdownTable(): string {
  const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || 'nothing else';
  const isListed = ({ folder }: ImportRow): boolean => !WEB_LAYERS.map(web).includes(folder);
  const rows = [
    ...IMPORT_TABLE.filter(isListed).map(({ folder, mayImport }) => [code([folder]), code(mayImport)]),
    [`in \`web\`: ${code(WEB_LAYERS)}`, 'each those to its right'],
    [code(['tests', '*.test.ts', 'e2e']), 'anything'],
  ];
  const head = [
    ['folder', 'may import, beside `shared` and its own files'],
    ['---', '---'],
  ];
  return [...head, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
