/** The owner of items: an account of a payments service. */
export interface Owner {
  service: string;
  account: string;
}
