/** What an operation answers, before Request-Id and Date are added. */
export interface Reply {
  status: number;
  /** null: no body at all. */
  body: string | null;
  contentType: string | null;
}

export function json(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value), contentType: 'application/json' };
}
