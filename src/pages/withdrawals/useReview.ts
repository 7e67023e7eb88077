import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type LocationState, locationState, readLocationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import { randomName } from '#src/lib/operations/random.ts';
import type { FormFields } from './withdrawalForm.ts';

interface Review {
  /** What is being reviewed; null: the form is on screen. */
  values: FormFields | null;
  open: (values: FormFields) => void;
  back: () => void;
  /** The operation takes the place of the form in the history, so that Back after sending finds no armed form. */
  leaveFor: (path: string, state?: LocationState) => void;
}

/** Review as an entry of the history that holds no values: Back leads to the form as it was, a reload to its draft. */
export function useReview(): Review {
  const navigate = useNavigate();
  const { state } = useLocation();
  const mark = readLocationState(state).review;
  const [reviewed, setReviewed] = useState<{ mark: string; values: FormFields } | null>(null);
  const [leave, setLeave] = useState<{ path: string; state: LocationState | undefined } | null>(null);
  const atReview = reviewed !== null && reviewed.mark === mark;
  const stepped = useRef(false);

  useEffect(() => {
    if (leave === null) return;
    if (!atReview) void navigate(leave.path, { replace: true, state: leave.state });
    else if (!stepped.current) {
      stepped.current = true;
      void navigate(-1);
    }
  }, [leave, atReview, navigate]);

  return {
    values: atReview ? reviewed.values : null,
    open: (values) => {
      // Never the same twice, in this tab's history either: an entry of an earlier form is no review of this one.
      const next = randomName('review_');
      setReviewed({ mark: next, values });
      void navigate(paths.newWithdrawal, { state: locationState({ review: next }) });
    },
    back: () => void navigate(-1),
    leaveFor: (path, to) => setLeave({ path, state: to }),
  };
}
