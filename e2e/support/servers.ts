/** E2E_PORT moves all ports, so that two runs on one machine don't collide. */
const first = Number(process.env['E2E_PORT'] ?? 4183);

function at(port: number) {
  return { port, origin: `http://127.0.0.1:${port}` };
}

/**
 * Ports of the end-to-end tests' processes. `raw` is the sandbox of E without the gateway; `large` and `largeRaw` are for the
 * test of a long export.
 */
export const SERVERS = {
  E: at(first),
  F: at(first + 1),
  R: at(first + 2),
  raw: at(first + 3),
  large: at(first + 4),
  largeRaw: at(first + 5),
};
