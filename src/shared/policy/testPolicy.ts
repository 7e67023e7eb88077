// Test support.
import { NO_RECIPIENT_RULES, type Policy } from './policy.ts';

/** A policy under which no payment needs approval. */
export const NO_APPROVALS: Policy = { assets: [], other_assets: 0, recipients: NO_RECIPIENT_RULES, expires_hours: 72 };
