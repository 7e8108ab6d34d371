import { expect, test } from 'vitest'
import { wordsFor } from '../../src/shell/quiet'

test('names of exceptions are not put before people', () => {
  expect(wordsFor('description', "KeyError: 'legs'")).toBe(
    'description failed; Messages has the details.',
  )
  expect(wordsFor('wave', 'loop: ZeroDivisionError: division by zero')).not.toContain('Division')
})

test('words for people stay as they are', () => {
  expect(wordsFor('', 'The table is laid.')).toBe('The table is laid.')
  expect(wordsFor('arm', 'stopped 0.2 m short')).toBe('arm: stopped 0.2 m short')
})
