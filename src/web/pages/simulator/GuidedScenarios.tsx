import { useState } from 'react';
import { Button } from '#src/web/ui/Button.tsx';
import { type ScenarioId, setProgress, useProgress } from './scenario.ts';
import { SCENARIOS } from './scenarios.tsx';
import { ScenarioSteps } from './ScenarioSteps.tsx';

/** Styled like a current tab; the focus ring of the radio button goes around the whole label. */
const choiceClass = [
  'relative grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-2 border-b border-rule px-4 py-3',
  'font-semibold hover:bg-hover',
  'has-checked:-mr-px has-checked:bg-sheet narrow:has-checked:mr-0',
  'has-checked:before:absolute has-checked:before:inset-y-0 has-checked:before:left-0 has-checked:before:w-1',
  'has-checked:before:bg-accent',
  'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
].join(' ');

export function GuidedScenarios() {
  const progress = useProgress();
  const [selectedId, setSelectedId] = useState<ScenarioId>(progress?.scenario ?? SCENARIOS[0].id);
  const selected = SCENARIOS.find((scenario) => scenario.id === selectedId) ?? SCENARIOS[0];
  const isOtherStarted = progress !== null && progress.scenario !== selected.id;
  return (
    <section className="grid gap-3" aria-labelledby="guided">
      <h2 id="guided">Guided scenarios</h2>
      <div className="grid grid-cols-[21rem_minmax(0,1fr)] border border-rule medium:grid-cols-[17rem_minmax(0,1fr)] narrow:grid-cols-1">
        <fieldset className="flex min-w-0 flex-col border-r border-rule bg-inset narrow:border-r-0">
          <legend className="vh">Which scenario</legend>
          {SCENARIOS.map((scenario) => (
            <label key={scenario.id} className={choiceClass}>
              <input
                className="mt-0.5 size-4 accent-accent focus-visible:outline-none"
                type="radio"
                name="scenario"
                checked={scenario.id === selected.id}
                onChange={() => setSelectedId(scenario.id)}
              />
              {scenario.title}
              <span className="col-start-2 text-small font-normal text-ink-2">
                {scenario.summary}
                {progress?.scenario === scenario.id && ' Started.'}
              </span>
            </label>
          ))}
        </fieldset>
        <div className="grid min-w-0 content-start justify-items-start gap-3 px-5 py-4 narrow:px-4">
          <h3>{selected.title}</h3>
          {isOtherStarted && <p className="small sub">Starting this one ends the other.</p>}
          <ScenarioSteps key={selected.id} scenario={selected} />
          {progress?.scenario === selected.id && (
            <Button size="small" onClick={() => setProgress(null)}>
              Start over
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
