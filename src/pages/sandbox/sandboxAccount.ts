/** Whose sandbox: the session's account, which the cache goes by, and the sandbox's own id of it. */
export interface SandboxAccount {
  service: string;
  account: string;
  sandbox: string;
}
