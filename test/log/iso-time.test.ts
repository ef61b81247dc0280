// Times of the log are those that JavaScript's own Date writes, on every day of a cycle of the calendar and at odd moments.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isoTime } from '../../src/log/record/iso-time.js';

const test = suite('iso time');
const DAY = 86_400_000;
const same = (time: number) => assert.is(isoTime(time), new Date(time).toISOString());

test('each day of 1970 to 2400, at another time of the day', () => {
  for (let day = 0; day < 157_000; day += 1) same(day * DAY + ((day * 7_777_777) % DAY));
});

test('around the ends of years, centuries and of what has four digits', () => {
  for (const year of [1970, 1972, 1999, 2000, 2001, 2024, 2100, 2399, 2400, 9999, 10_000])
    for (const months of [0, 1, 2, 11])
      for (const around of [-DAY, -1, 0, 1, DAY - 1, DAY]) same(Date.UTC(year, months, 1) + around);
});

test('what is no such moment', () => {
  for (const time of [-1, -DAY, 0.5, 1.9, 8.64e15]) same(time);
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => isoTime(time), /Invalid time value/);
});

test.run();
