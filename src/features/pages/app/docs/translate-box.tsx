import { type FormEvent, useId, useState } from 'react';
import { pathOf } from '../addresses.js';
import { useAbout } from '../api/about.js';
import { useKey } from '../session/use-session.js';
import { Code } from '../ui/copy-button.js';
import { wordsFor } from '../ui/notice.js';
import { type Translation, translate } from './translate.js';

/** Turns a pasted line of curl into GraphQL, and an operation of GraphQL into a line of curl. */
export function TranslateBox() {
  const about = useAbout();
  const key = useKey();
  const id = useId();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Translation>();
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFound(undefined);
    setProblem(undefined);
    try {
      setFound(await translate(text, about, key));
    } catch (error) {
      setProblem(wordsFor(error));
    }
  };

  return (
    <details className="translate">
      <summary>Translate a call between REST and GraphQL</summary>
      <form onSubmit={submit}>
        <label htmlFor={id}>A line of curl, or an operation of GraphQL with its variables below it</label>
        <textarea
          id={id}
          rows={5}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== undefined}
        />
        <div className="translate-row">
          <button type="submit" className="main">
            Translate
          </button>
          <a href={pathOf('docs/usage')}>Who still calls what</a>
        </div>
        <p className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      </form>
      {found && <Shown translation={found} />}
    </details>
  );
}

function Shown({ translation: { title, snippets, graphiql } }: { translation: Translation }) {
  const [language, setLanguage] = useState<string>('curl');
  const shown = snippets.find((snippet) => snippet.language === language) ?? snippets[0];
  return (
    <section aria-label="Translation">
      <h2>{title}</h2>
      <div className="translate-row">
        {snippets.length > 1 &&
          snippets.map((snippet) => (
            <button
              key={snippet.language}
              type="button"
              className="small"
              aria-pressed={snippet === shown}
              onClick={() => setLanguage(snippet.language)}
            >
              {snippet.language}
            </button>
          ))}
        {graphiql && <a href={graphiql}>Open in GraphiQL</a>}
      </div>
      {shown && <Code>{shown.text}</Code>}
    </section>
  );
}
