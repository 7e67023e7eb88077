/** E2E_PORT moves all ports, so that two runs on one machine do not meet. */
const first = Number(process.env['E2E_PORT'] ?? 4183);

function at(port: number) {
  return { port, origin: `http://127.0.0.1:${port}` };
}

/** Where the processes of the end-to-end tests listen; `raw` is E’s sandbox without the gateway; `large` and `largeRaw` are for the test of a long export. */
export const SERVERS = {
  E: at(first),
  F: at(first + 1),
  R: at(first + 2),
  raw: at(first + 3),
  large: at(first + 4),
  largeRaw: at(first + 5),
};
