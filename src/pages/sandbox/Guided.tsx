import { useState } from 'react';
import { Button } from '#src/ui/Button.tsx';
import { LatePayment } from './LatePayment.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { type ScenarioId, setProgress, useProgress } from './progress.ts';
import { LostAnswer, SlowService } from './Resending.tsx';
import { TooLate } from './TooLate.tsx';

interface Scenario {
  id: ScenarioId;
  title: string;
  summary: string;
  Part: (props: { owner: SandboxAccount }) => React.ReactNode;
}

const scenarios: readonly [Scenario, ...Scenario[]] = [
  {
    id: 'lost-answer',
    title: 'The answer is lost',
    summary: 'A withdrawal was carried out, and nobody heard.',
    Part: LostAnswer,
  },
  {
    id: 'slow',
    title: 'The service is slow',
    summary: 'The page gives up waiting. The service goes on.',
    Part: SlowService,
  },
  {
    id: 'late-payment',
    title: 'The customer says “I paid”',
    summary: 'A deposit arrives late and waits for its chain.',
    Part: LatePayment,
  },
  {
    id: 'too-late',
    title: 'A day passes: too late to resend',
    summary: 'Nobody settled a lost withdrawal in time.',
    Part: TooLate,
  },
];

/** Guided rehearsals: choose one, then go by its steps. */
export function Guided({ owner }: { owner: SandboxAccount }) {
  const progress = useProgress(owner.account);
  const [chosen, setChosen] = useState<ScenarioId>(progress?.scenario ?? scenarios[0].id);
  const { id, title, Part } = scenarios.find((scenario) => scenario.id === chosen) ?? scenarios[0];
  const other = progress !== null && progress.scenario !== id;
  return (
    <section className="reh-guided" aria-labelledby="guided">
      <h2 id="guided">Guided rehearsals</h2>
      <div className="reh-guide">
        <fieldset className="reh-choices">
          <legend className="vh">Which rehearsal</legend>
          {scenarios.map((scenario) => (
            <label key={scenario.id} className="reh-choice">
              <input
                type="radio"
                name="scenario"
                checked={scenario.id === id}
                onChange={() => setChosen(scenario.id)}
              />
              {scenario.title}
              <span className="reh-summary">
                {scenario.summary}
                {progress?.scenario === scenario.id && ' Begun.'}
              </span>
            </label>
          ))}
        </fieldset>
        <div className="reh-pane">
          <h3>{title}</h3>
          {other && <p className="small sub">Beginning this one ends the other that was begun.</p>}
          <Part key={id} owner={owner} />
          {progress?.scenario === id && (
            <Button size="small" onClick={() => setProgress(null)}>
              Start over
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
