// npm run console -- --invite-admin "why": a command of the built server. It never builds, as that would replace the files
// of a running server, and it never starts one.
import { existsSync } from 'node:fs';

const BUILT = new URL('../../../dist/node/start.js', import.meta.url);

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

if (!existsSync(BUILT)) fail('There is no build yet. Run npm run build first.');
else if (process.argv.length === 2) fail('Name a command, such as: npm run console -- --invite-admin "why"');
else await import(BUILT.href);
