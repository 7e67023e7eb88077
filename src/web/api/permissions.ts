import { type Ability, abilityToEndBatch, isAllowed, refusalOf } from '#src/shared/permissions.ts';
import { type Session, useSession } from './session.ts';

export function can({ rights }: Session, ability: Ability): boolean {
  return isAllowed(ability, rights);
}

export function useCan(ability: Ability): boolean {
  return can(useSession(), ability);
}

/** Why the person can't do it, for a button's `disabledReason`; undefined if they can. */
export function useRefusal(ability: Ability): string | undefined {
  return refusalOf(ability, useSession().rights)?.message;
}

/** Why the person can't withdraw this batch or exclude one of its payments. */
export function useRefusalToEndBatch(batch: { person: string | null }): string | undefined {
  return useRefusal(abilityToEndBatch(batch, useSession().person?.id ?? null));
}
