/** What somebody does at a board, and what they see there. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

async function middle(page: Page, square: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-square="${square}"]`).boundingBox();
  assert(box !== null, `there is no ${square} on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** With the mouse button held. */
export async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

/** With two clicks. */
export async function click(page: Page, from: string, to: string): Promise<void> {
  for (const square of [from, to]) {
    const { x, y } = await middle(page, square);
    await page.mouse.click(x, y);
  }
}

/** Waits until so many plies were made and the last one is that, whatever mark (`?!`) an evaluation gave it. */
export async function waitForMove(page: Page, ply: number, san?: string): Promise<void> {
  const cell = page.locator(`[data-ply="${ply}"]`);
  if (san === undefined) return cell.waitFor();
  // Another line may have had another move there a moment ago.
  const literal = san.replace(/[+=]/g, '\\$&');
  await cell.locator('.san', { hasText: new RegExp(`^\\s*${literal}[!?]*\\s*$`) }).waitFor();
}

/** What stands on a square, for a screen reader: "e4, white pawn". */
export async function contentOf(page: Page, square: string): Promise<string> {
  return (await page.locator(`[data-square="${square}"]`).getAttribute('aria-label')) ?? '';
}

/** Waits until a square holds something. */
export async function waitForContent(page: Page, square: string, content: string): Promise<void> {
  await page.locator(`[data-square="${square}"][aria-label*="${content}"]`).waitFor();
}

/** Types a move into the field for it. */
export async function type(page: Page, move: string): Promise<void> {
  const field = page.getByLabel('Type a move and press Enter');
  await field.fill(move);
  await field.press('Enter');
}

/** Waits for a message on the page. */
export async function waitForNotice(page: Page, text: string): Promise<void> {
  await page.locator('[role=status] p', { hasText: text }).waitFor();
}

export async function spoken(page: Page): Promise<string> {
  return (await page.getByTestId('spoken').textContent()) ?? '';
}
