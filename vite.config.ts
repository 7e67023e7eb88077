import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import type { EnvironmentOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { compressPlugin } from './src/server/http/assets/compressBuild.ts';
import { gatewayPlugin } from './src/server/commands/dev.ts';
import { DEEP } from './src/tests/depth.ts';
import { SANDBOX_TEMPLATE } from './src/tests/process/template.ts';
import { postgresPrograms } from './src/tests/postgres/programs.ts';

// What keeps a session or the operations for as long as the page lives is tested in modules of its own, a file each.
const LIVES_WITH_THE_PAGE = ['src/web/api/**/*.test.ts', 'src/**/*.test.tsx'];
const EVERYWHERE = ['src/**/*.test.{ts,tsx}'];
const NEVER = ['src/tests/**'];
// What is long runs with `npm run test:deep`.
const LONG = DEEP ? [] : ['**/*.deep.test.ts'];
// Of the contract what is decided before any row is read or written: one database shows it.
const BEFORE_SQL = [
  'apiFaults.sandbox',
  'apiModule',
  'controls.sandbox',
  'errors',
  'faults.sandbox',
  'parameters.sandbox',
];

const unitTests = [
  // Much of the work here is to compile PGlite: once is enough.
  {
    name: 'unit',
    include: EVERYWHERE,
    exclude: [...NEVER, ...LIVES_WITH_THE_PAGE],
    execArgv: ['--liftoff-only'],
  },
  { name: 'unit-page', include: LIVES_WITH_THE_PAGE, exclude: NEVER, isolate: true, pool: 'threads' as const },
  // A property runs a hundred times: on a busy machine that is no sign of a fault.
].map((test) => ({ extends: true as const, test: { ...test, testTimeout: 30_000 } }));

/** A script by itself, so that it waits for no chunk of the app. */
const early = (name: string, input: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: 'dist/app',
    emptyOutDir: false,
    copyPublicDir: false,
    manifest: `.vite/${name}.json`,
    modulePreload: { polyfill: false },
    // A classic one: the parser runs it as soon as it may, before anything else is compiled.
    rolldownOptions: { input, output: { format: 'iife' }, treeshake: { moduleSideEffects: false } },
  },
});

/** Matches these parts of a path, on any system. */
const paths = (...parts: string[]): RegExp => new RegExp(parts.join('|').replaceAll('/', String.raw`[\\/]`));

// The browser's code in six files; the code of one page or dialog has its own file beside them. Each group takes what the
// test names with all of its imports, less what a group before it took. "npm run bench -- load" shows what a change costs.
const CHUNKS = [
  {
    name: 'react',
    test: paths('node_modules/(react|react-dom|scheduler|react-router|@tanstack/(react-query|query-core))/'),
  },
  { name: 'app', test: paths('src/web/main\\.tsx$') },
  // Small, and needed by most pages: without it Home and Balances would load the whole list engine for a few of its parts.
  {
    name: 'shared',
    test: paths(
      'node_modules/lucide-react/',
      'src/shared/(assetCode|chains/names)',
      'src/web/ui/(?!Combobox|RequestPreview)',
      'src/web/api/(lists|balances|paging/(?!job))',
      'src/web/list/(StaleBar|StillLoading|rows/(loadedRows|StatusCell))',
    ),
    minShareCount: 4,
  },
  { name: 'list', test: paths('src/web/resources/deposits\\.tsx$') },
  { name: 'money', test: paths('src/shared/money\\.ts$') },
  // For Home, forms and the pages of operations and payments.
  {
    name: 'operations',
    test: paths(
      'src/shared/(operations|contract|chains/(loadChains|memoFields))',
      'src/web/api/(operations|team|recipients)',
      'src/web/report/ExplorerLink',
      'src/web/resources/OtherFields',
      'src/web/list/(HandledMark|TeamProblem|paymentNames)',
    ),
    minShareCount: 5,
  },
];

export default defineConfig({
  plugins: [react({ jsxImportSource: '#jsx' }), tailwindcss(), gatewayPlugin(), compressPlugin()],
  builder: {},
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        outDir: 'dist/app',
        emptyOutDir: true,
        rolldownOptions: {
          output: {
            codeSplitting: { groups: CHUNKS },
          },
        },
      },
    },
    boot: early('boot', 'src/web/boot/boot.ts'),
    firstRows: early('firstRows', 'src/web/boot/firstRows.tsx'),
    node: {
      consumer: 'server',
      build: {
        outDir: 'dist/node',
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input: { start: 'src/server/commands/start.ts', sandbox: 'src/sandbox/serve.ts' },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
  },
  test: {
    // Tests of processes wait as often as they work.
    maxWorkers: availableParallelism() + 1,
    // One process for many files: to begin one costs more than most files do.
    isolate: false,
    env: { SANDBOX_TEMPLATE },
    projects: [
      ...unitTests,
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['src/tests/contract/**/*.test.ts'],
          // Another service has no /sandbox controls: what needs them is not registered.
          exclude: process.env['CONTRACT_BASE_URL'] === undefined ? [] : ['**/*.sandbox.test.ts'],
          globalSetup: 'src/tests/contract/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include:
            postgresPrograms() === undefined
              ? ['src/tests/postgres/absent.test.ts']
              : ['src/tests/contract/**/*.test.ts', 'src/tests/postgres/{database,rows,team}.test.ts'],
          exclude: DEEP ? [] : BEFORE_SQL.map((name) => `src/tests/contract/${name}.test.ts`),
          globalSetup: 'src/tests/postgres/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'simulator',
          // Much is made and soon let go: a larger nursery for it saves a tenth of the work.
          execArgv: ['--max-semi-space-size=64'],
          include: ['src/tests/fault-injection/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          include: ['src/tests/servers/**/*.test.ts'],
          exclude: [...LONG, ...(postgresPrograms() === undefined ? ['**/*.postgres.test.ts'] : [])],
          globalSetup: 'src/tests/servers/setup.ts',
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxConcurrency: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          include: ['src/tests/crash/**/*.test.ts'],
          exclude: LONG,
          globalSetup: 'src/tests/crash/setup.ts',
          testTimeout: 240_000,
          // Of one file; each is a database in a process.
          maxConcurrency: 2,
          // After the others, not beside them.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
