export type Side = 'mine' | 'theirs';

/** Something that both sides have changed, each in another way, so that the user must choose. */
export interface Question {
  /** Contains the place and both values, so that a choice is no longer valid once one of them changes. */
  key: string;
  label: string;
  /** What would stand there, for people. */
  mine: string;
  theirs: string;
}

/** What the user has chosen, by the key of the question. */
export type Choices = ReadonlyMap<string, Side>;

export interface Asker {
  /** The chosen side; that of the user until something is chosen. */
  ask(place: string, label: string, mine: string, theirs: string): Side;
  /** All questions so far, answered or not. */
  questions: Question[];
}

export function createAsker(choices: Choices): Asker {
  const questions: Question[] = [];
  return {
    questions,
    ask(place, label, mine, theirs) {
      const key = JSON.stringify([place, mine, theirs]);
      questions.push({ key, label, mine, theirs });
      return choices.get(key) ?? 'mine';
    },
  };
}
