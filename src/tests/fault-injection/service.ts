/** What the service answers, before anything on the way spoils it. */
export interface Served {
  status: number;
  requestId: string;
  replayed: boolean;
  contentType: string | null;
  text: string;
}

/** An account of the service, as one of its API keys opens it. */
export interface ServiceAccount {
  /** The service's own name for it, the same for all of its keys. */
  id: string;
  apiKey: string;
  /** Webhook deliveries that can be replayed, and one that is still in progress. */
  deliveries: string[];
  pendingDelivery: string;
}

/** How much was really carried out for an account, by the service's own books. */
export interface Executed {
  withdrawals: number;
  deposit_addresses: number;
  charges: number;
  webhook_replays: number;
}

type Soon<T> = T | Promise<T>;

/** The payment service as the wire sees it; its clock is the simulation's. */
export interface Service {
  open: (withDeliveries: boolean) => Soon<ServiceAccount>;
  /** One more API key of the account. */
  addKey: (account: ServiceAccount) => Soon<ServiceAccount>;
  /** `key` null: no Idempotency-Key. */
  post: (apiKey: string, path: string, key: string | null, body: string) => Soon<Served>;
  /** `target`: path and query. */
  get: (apiKey: string, target: string) => Soon<Served>;
  executed: (account: ServiceAccount) => Soon<Executed>;
}
