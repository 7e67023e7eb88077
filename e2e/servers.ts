function at(port: number) {
  return { port, origin: `http://127.0.0.1:${port}` };
}

/** Where the processes of the end-to-end tests listen; `raw` is E's sandbox without the gateway. */
export const SERVERS = { E: at(4183), F: at(4184), R: at(4185), raw: at(4186) };
