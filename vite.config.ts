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
import { proxyProgram } from './src/tests/servers/proxyPrograms.ts';

// Tests of module state, such as the session, get it fresh in each file.
const STATE_TESTS = ['src/web/api/**/*.test.ts'];
const ALL_TESTS = ['src/**/*.test.{ts,tsx}'];
const OTHER_PROJECTS = ['src/tests/**'];
// Long tests run with `npm run test:deep`.
const LONG = DEEP ? [] : ['**/*.deep.test.ts'];
const hasNginx = proxyProgram('nginx') !== undefined;
const unitTests = [
  // Most of the time goes into compiling PGlite: skip the optimizing compiler.
  {
    name: 'unit',
    include: ALL_TESTS,
    exclude: [...OTHER_PROJECTS, ...STATE_TESTS, ...LONG],
    execArgv: ['--liftoff-only'],
  },
  { name: 'unit-state', include: STATE_TESTS, exclude: OTHER_PROJECTS, isolate: true, pool: 'threads' as const },
  // Property tests take long on a busy machine, and in the long run.
].map((test) => ({
  extends: true as const,
  test: { ...test, testTimeout: DEEP ? 600_000 : 30_000, hookTimeout: 60_000 },
}));

/** A separate script, which waits for no chunk of the app. */
const early = (name: string, input: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: 'dist/app',
    emptyOutDir: false,
    copyPublicDir: false,
    manifest: `.vite/${name}.json`,
    modulePreload: { polyfill: false },
    // A classic script: it runs before any module is compiled.
    rolldownOptions: { input, output: { format: 'iife' }, treeshake: { moduleSideEffects: false } },
  },
});

/** Matches these parts of a path, on any system. */
const paths = (...parts: string[]): RegExp => new RegExp(parts.join('|').replaceAll('/', String.raw`[\\/]`));

// The browser's code in seven files; the code of one page or dialog has its own file beside them. Each group takes what the
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
      'src/shared/(assetCode|chains/(names|lookAlike|spellings))',
      'src/web/ui/(?!Combobox|SelectList|RequestPreview)',
      'src/web/api/(listQueries|balances|polled|overviewParams|paging/(?!job))',
      'src/web/list/(ActionLink|StaleBar|StillLoading|rows/(loadedRows|StatusCell))',
    ),
    minShareCount: 4,
  },
  { name: 'money', test: paths('src/shared/money\\.ts$') },
  // Recipients, notes and operations: for lists and most other pages.
  { name: 'team', test: paths('src/web/api/(team|recipients|operations/operations)\\.ts') },
  { name: 'list', test: paths('src/web/resources/deposits\\.tsx$') },
  // For Home, forms and the pages of operations and payments.
  {
    name: 'operations',
    test: paths(
      'src/shared/(operations|contract|chains/(loadChains|memoFields))',
      'src/web/api/operations',
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
    // Tests with processes wait about half of the time.
    maxWorkers: availableParallelism() + 1,
    // Starting a process costs more than most test files take.
    isolate: false,
    env: { SANDBOX_TEMPLATE },
    expect: { poll: { timeout: 10_000 } },
    projects: [
      ...unitTests,
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['src/tests/contract/**/*.test.ts'],
          // Another service has no /sandbox controls.
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
              : DEEP
                ? ['src/tests/contract/**/*.test.ts', 'src/tests/postgres/!(absent).test.ts']
                : ['src/tests/postgres/{database,jobs,people}.test.ts'],
          globalSetup: 'src/tests/postgres/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'simulator',
          // Many short-lived objects: a larger young generation saves 10 % of the time.
          execArgv: ['--max-semi-space-size=64'],
          include: ['src/tests/fault-injection/**/*.test.ts'],
          exclude: LONG,
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          // Servers that stop, freeze or share a database take long: most of them run with `npm run test:deep`.
          include: DEEP
            ? ['src/tests/servers/**/*.test.ts']
            : ['src/tests/servers/{behindNginx,killAt,nginxAbsent,running}.test.ts'],
          exclude: [
            ...(postgresPrograms() === undefined ? ['**/*.postgres.test.ts'] : []),
            hasNginx ? '**/nginxAbsent.test.ts' : '**/behindNginx.test.ts',
          ],
          globalSetup: 'src/tests/servers/setup.ts',
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxConcurrency: 2,
          // The long run has many of them, so there they have the machine to themselves.
          ...(DEEP && { sequence: { groupOrder: 1 } }),
        },
      },
      // In the long run only: the sandbox, killed at every step of a POST.
      ...(DEEP
        ? [
            {
              extends: true as const,
              test: {
                name: 'crash',
                include: ['src/tests/crash/**/*.test.ts'],
                globalSetup: 'src/tests/crash/setup.ts',
                testTimeout: 240_000,
                // Each test of a file is a process with a database.
                maxConcurrency: 2,
                // After the other projects.
                sequence: { groupOrder: 1 },
              },
            },
          ]
        : []),
    ],
  },
});
