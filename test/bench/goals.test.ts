import { expect, test } from 'vitest';
import { goalsText } from '../../bench/goals.js';
import type { Line } from '../../bench/summary.js';
import { comparedWorkloads } from '../../bench/workloads.js';

const spread = (median: number) => ({ median, least: median, most: median });

test('every workload has a goal by processor time, beside the floor and beside PostGraphile', () => {
  for (const { name } of comparedWorkloads) {
    const line = { workload: name, connections: 32, rounds: 1, errors: 0 };
    const beside = { requests: spread(0.1), processor: spread(9) };
    const lines: Line[] = [
      { ...line, system: 'gateway-sqlite', beside: { floor: beside } },
      { ...line, system: 'gateway-postgresql', beside: { floor: beside, postgraphile: beside } },
    ];
    expect(
      goalsText(lines)
        .split('\n')
        .map((text) => text.slice(0, text.indexOf(':'))),
    ).toEqual([`✓ ${name} gateway-sqlite`, `✓ ${name} gateway-postgresql`]);
  }
});

test('a goal that is missed is printed with the measured and the required figure', () => {
  const floor = { requests: spread(9), processor: spread(1.25) };
  const line: Line = {
    workload: 'W10',
    connections: 32,
    system: 'gateway-sqlite',
    rounds: 1,
    errors: 0,
    beside: { floor },
  };
  expect(goalsText([line])).toBe('✗ W10 gateway-sqlite: 1.25 × floor, wanted 1.5');
  expect(goalsText([{ ...line, connections: 1 }])).toBe('');
});

test('the journal may cost a create a third more, and other changes less', () => {
  const line = (workload: 'W5' | 'W7', share: number): Line => ({
    workload,
    connections: 32,
    system: 'journal-sqlite',
    rounds: 1,
    errors: 0,
    beside: { 'gateway-sqlite': { processor: spread(share) } },
  });
  expect(goalsText([line('W5', 0.8), line('W7', 0.8)])).toBe(
    [
      '✓ W5 journal-sqlite: 1.25 × gateway-sqlite, wanted at most 1.35',
      '✗ W7 journal-sqlite: 1.25 × gateway-sqlite, wanted at most 1.15',
    ].join('\n'),
  );
});
