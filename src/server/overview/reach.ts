import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import type { ListBack } from './listBack.ts';

interface ReadList {
  back: Pick<ListBack<{ id: string }>, 'info' | 'reached' | 'isWhole' | 'hasFurther' | 'canReadMore' | 'rows'>;
  error: OverviewError | null;
  notOffered: boolean;
}

/** How far back a list was read, as in the documents. */
export function reachOf({ back, error, notOffered }: ReadList, isReading: boolean) {
  return {
    not_offered: notOffered,
    error,
    info: back.info(),
    reached: back.reached(),
    is_whole: back.isWhole(),
    can_read_more: back.canReadMore(),
    is_loading: !notOffered && error === null && (back.rows() === null || (isReading && back.hasFurther())),
  };
}
