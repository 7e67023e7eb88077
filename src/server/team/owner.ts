/** Whose items they are: an account of a payments service. */
export interface Owner {
  service: string;
  account: string;
}
