import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { owner, type RunningN8n } from '../../../scripts/n8n/run';
import { until } from '../n8n/until';
import { findChromium } from './chromium';
import { pictureOf, takesPictures } from './pictures';

/** Long enough for a slow machine; nothing below waits longer than it has to. */
const TIMEOUT_MS = 180_000;
/** Time after which a step that n8n may have ignored is tried again. */
const AGAIN_AFTER_MS = 5000;

/** What the dropdown of a new node shows if n8n has asked for it before it chose the credential. */
export const LIST_NOTE = 'To see the list, choose ⋮ → Refresh List';

/** n8n saves the conditions of its If node a second after the last change. */
const CONDITIONS_PAUSE_MS = 1500;

/**
 * n8n reads typed text some 100 ms later, and may lose the first of two fields that a test fills
 * faster.
 */
const TYPING_PAUSE_MS = 500;

const exactly = (text: string) =>
	new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);

/** What marks a parameter of a node: its own name, or the path of one inside a collection. */
const parameter = (name: string) => `[data-test-id="parameter-input-${name}"]`;

/** n8n's editor in a browser without a window, used by what a person sees there. */
export class Editor {
	/** Everything that was typed into fields of nodes. */
	readonly typed: string[] = [];

	private constructor(
		readonly page: Page,
		private readonly browser: Browser,
		private readonly address: string,
	) {}

	/** Opens the editor, logged in, in the light theme. */
	static async open({ address }: RunningN8n): Promise<Editor> {
		const browser = await chromium.launch({
			executablePath: await findChromium(),
			// Chromium's sandbox does not work for root, the user of containers and many CI machines.
			args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
		});
		const context = await browser.newContext({
			viewport: { width: 1280, height: 760 },
			// Sharper pictures take a browser without a graphics card longer to draw.
			deviceScaleFactor: takesPictures ? 1.5 : 1,
			reducedMotion: takesPictures ? 'no-preference' : 'reduce',
			colorScheme: 'light',
			locale: 'en-US',
		});
		context.setDefaultTimeout(TIMEOUT_MS);
		await context.request.post(`${address}/rest/login`, {
			data: { emailOrLdapLoginId: owner.email, password: owner.password },
		});
		return new Editor(await context.newPage(), browser, address);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Parts of the editor that are shown, by the names that n8n gives them for tests. */
	part(testId: string): Locator {
		return this.page.locator(`[data-test-id="${testId}"]:visible`);
	}

	/** Starts an empty workflow. */
	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.address}/workflow/new`);
		// n8n gives the workflow an ID and goes to its address.
		await this.page.waitForURL(/\/workflow\/(?!new\b)/);
		await this.part('node-creator-plus-button').first().waitFor();
	}

	/** Opens a stored workflow. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.address}/workflow/${id}`);
		await this.part('canvas-node').first().waitFor();
	}

	/** Opens the list of nodes and searches it; returns what it found. */
	async searchNodes(text: string): Promise<Locator> {
		const search = this.page.locator('[data-test-id="node-creator"] input');
		if (!(await search.isVisible())) await this.part('node-creator-plus-button').first().click();
		await search.fill(text);
		return this.part('node-creator-item-name');
	}

	/** Adds a node after the last one: searches for it and chooses one of its actions. */
	async addNode(search: string, node: string, action?: string): Promise<void> {
		const found = await this.searchNodes(search);
		await found
			.filter({ hasText: exactly(node) })
			.first()
			.click();
		if (!action) return;
		await this.part('node-creator-item-name')
			.filter({ hasText: exactly(action) })
			.first()
			.click();
		await this.part('ndv').waitFor();
	}

	/** Adds the trigger of a workflow that is run by hand. */
	async addManualTrigger(): Promise<void> {
		await this.addNode('manual', 'Manual Trigger');
		// The list of nodes closes by itself, but slowly: without waiting it would be taken for open.
		await this.part('node-creator').waitFor({ state: 'hidden' });
	}

	/**
	 * Opens the list of nodes at an output that leads nowhere; n8n connects the node that is added
	 * next to it.
	 */
	async startAt(node: string, output = 0): Promise<void> {
		await this.part('zoom-to-fit').click();
		const plus = this.page.locator(
			`[data-test-id="canvas-node-output-handle"][data-node-name="${node}"][data-index="${output}"] ` +
				'[data-test-id="canvas-handle-plus"]',
		);
		await this.waitUntilStill(plus);
		await plus.click();
	}

	/**
	 * Begins a second branch at a node whose output leads somewhere already: drags from the output to
	 * an empty place below, which opens the list of nodes.
	 */
	async branchFrom(node: string): Promise<void> {
		await this.part('zoom-to-fit').click();
		const handle = this.page.locator(
			`[data-test-id="canvas-node-output-handle"][data-node-name="${node}"]`,
		);
		await this.waitUntilStill(handle);
		const box = await handle.boundingBox();
		if (!box) throw new Error(`The output of ${node} is not shown`);
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		await this.page.mouse.move(x + 60, y + 200, { steps: 8 });
		await this.page.mouse.up();
		await this.part('node-creator').waitFor();
	}

	/** Adds our node with one of its actions. */
	async addAction(action: string): Promise<void> {
		await this.addNode('workspace messaging', 'Workspace Messaging', action);
	}

	/** Starts a workflow that is run by hand and begins with one of our actions. */
	async newWorkflowWith(action: string): Promise<void> {
		await this.newWorkflow();
		await this.addManualTrigger();
		await this.addAction(action);
	}

	/** Opens the panel of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.part('ndv').waitFor();
	}

	/** Goes from the panel of a node back to the canvas. */
	async closeNode(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'hidden' });
	}

	/**
	 * Tidies up the canvas, and takes a picture of all nodes for the README, if pictures are turned
	 * on.
	 */
	async canvasPicture(name: string): Promise<void> {
		await this.part('tidy-up-button').click();
		await this.part('zoom-to-fit').click();
		await this.release();
		// The names of nodes are outside of what n8n calls the node.
		await pictureOf(this.page, name, await this.part('canvas-node').all(), 96);
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** The mark of a node on the canvas that has run without an error. */
	succeeded(name: string): Locator {
		return this.node(name).locator('[data-test-id="canvas-node-status-success"]');
	}

	/** The input of a field, by the field's name in the description of the node. */
	field(name: string): Locator {
		return this.page.locator(`${parameter(name)}:visible`).last();
	}

	/** Writes into a field. */
	async fill(name: string, text: string): Promise<void> {
		this.typed.push(text);
		await this.field(name).locator('input, textarea').last().fill(text);
		await this.page.waitForTimeout(TYPING_PAUSE_MS);
	}

	/** Sets a field from Fixed to Expression and enters the expression. */
	async fillExpression(name: string, expression: string): Promise<void> {
		await this.field(name).hover();
		await this.part(`${name}-parameter-input-options-container`)
			.locator('[data-test-id="radio-button-expression"]')
			.click();
		await this.field(name).locator('.cm-content').fill(expression);
		await this.page.waitForTimeout(TYPING_PAUSE_MS);
		await this.release();
	}

	/** Lets the model of an agent define a field of a tool. */
	async letModelDefine(name: string): Promise<void> {
		await this.part('parameter-item')
			.filter({ has: this.page.locator(parameter(name)) })
			.last()
			.locator('[data-test-id="from-ai-override-button"]')
			.click();
	}

	/**
	 * Opens the dropdown of a field and chooses entries by their texts. If it only says how to get its
	 * list, does what it says.
	 */
	async select(name: string, ...texts: string[]): Promise<void> {
		const first = this.option(texts[0]);
		const note = this.option(LIST_NOTE);
		for (let looks = 0; looks < 5 && !(await first.isVisible()); looks++) {
			await this.field(name).click();
			await first
				.or(note)
				.first()
				.waitFor({ timeout: AGAIN_AFTER_MS })
				.catch(() => {});
			if (await note.isVisible()) await this.refreshList(name);
		}
		for (const text of texts) await this.option(text).click();
		if (texts.length > 1) await this.page.keyboard.press('Escape');
	}

	/** Chooses Refresh List in the menu of a field, and waits for the list. */
	async refreshList(name: string): Promise<void> {
		await this.field(name).hover();
		await this.part('parameter-options-container')
			.last()
			.locator('[data-test-id="action-toggle"]')
			.click();
		const loaded = this.page.waitForResponse(/dynamic-node-parameters/);
		await this.part('action-refreshOptions').click();
		await loaded;
	}

	/** An entry of the dropdown that is open. */
	option(text: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item:visible, [role="menuitem"]:visible')
			.filter({ has: this.page.getByText(text, { exact: true }) })
			.first();
	}

	/** Adds an option, a filter or a field that is not shown from the start, by its label. */
	async addOption(label: string, collection = 0): Promise<void> {
		await this.part('collection-parameter-add').nth(collection).click();
		await this.option(label).click();
	}

	/**
	 * Chooses how the last condition of n8n's If compares, by the kind of value and the text below
	 * it.
	 */
	async compare(kind: string, operator: string): Promise<void> {
		await this.part('filter-operator-select').last().click();
		await this.option(kind).hover();
		await this.option(operator).click();
	}

	/** Runs the opened node of n8n with conditions, and waits for one of its outputs. */
	async executeConditions(output = /^True Branch/): Promise<void> {
		await this.page.waitForTimeout(CONDITIONS_PAUSE_MS);
		await this.execute();
		await this.output.getByText(output).waitFor();
	}

	/** Returns the labels of the options that a collection offers to add. */
	async offeredOptions(collection = 0): Promise<string[]> {
		await this.part('collection-parameter-add').nth(collection).click();
		const entries = this.page.locator(
			'.el-select-dropdown__item:visible, [role="menuitem"]:visible',
		);
		// Entries of other, closed dropdowns are there, too, without a text; they can be all at first.
		const read = async () =>
			(await entries.allInnerTexts()).map((text) => text.trim()).filter(Boolean);
		const texts = await until(read, (shown) => shown.length > 0, 10_000);
		await this.page.keyboard.press('Escape');
		return texts;
	}

	/** Adds a row of one kind to a field with several kinds, by the label of the button. */
	async addRow(button: string, kind: string): Promise<void> {
		await this.parameters.getByPlaceholder(button).click();
		await this.option(kind).click();
	}

	/** Opens the "From List" picker of a field; returns its entries. */
	async openList(name: string): Promise<Locator> {
		const entries = this.part('rlc-item');
		// n8n may wait for ever for entries that it asked for before it has chosen the credential of a
		// new node.
		for (let looks = 0; looks < 4 && !(await entries.first().isVisible()); looks++) {
			if (looks > 0) await this.parameters.getByText('Parameters', { exact: true }).click();
			await this.page
				.locator(`[data-test-id="resource-locator-${name}"]:visible input`)
				.last()
				.click();
			await entries
				.first()
				.waitFor({ timeout: AGAIN_AFTER_MS })
				.catch(() => {});
		}
		await entries.first().waitFor();
		return entries;
	}

	/** Narrows the open picker. */
	async searchList(text: string): Promise<void> {
		await this.part('rlc-search').fill(text);
	}

	/** Picks the entry with a text from the "From List" picker of a field. */
	async pick(name: string, text: string): Promise<void> {
		await (await this.openList(name)).filter({ hasText: text }).first().click();
	}

	/** Chooses how the thing is named: "From List", "ID", "Email", … */
	async pickBy(name: string, mode: string): Promise<void> {
		await this.page
			.locator(
				`[data-test-id="resource-locator-${name}"]:visible [data-test-id="rlc-mode-selector"]`,
			)
			.click();
		await this.option(mode).click();
	}

	/** How the thing of a field is named now, in n8n's words: "From list", "By ID", … */
	async mode(name: string): Promise<string> {
		return await this.page
			.locator(
				`[data-test-id="resource-locator-${name}"]:visible [data-test-id="rlc-mode-selector"] input`,
			)
			.inputValue();
	}

	/** The dialog in which a credential is edited. */
	get credential(): Locator {
		return this.part('editCredential-modal');
	}

	/**
	 * Saves the credential that is being edited; n8n tests it, and closes the dialog when all is
	 * well.
	 */
	async saveCredential(): Promise<void> {
		await this.saveAndTest();
		await this.credential.waitFor({ state: 'hidden' });
	}

	/** Saves the credential that is being edited, and reads why it does not work. */
	async saveRefusedCredential(reason: string): Promise<void> {
		await this.saveAndTest();
		const text = this.credential.getByText(reason);
		const details = this.credential.getByText('More details');
		await text.or(details).first().waitFor();
		if (await details.isVisible()) await details.click();
		await text.waitFor();
	}

	/**
	 * Clicks Save until n8n has tested the credential: while it is busy with something else it
	 * ignores a click.
	 */
	private async saveAndTest(): Promise<void> {
		const save = this.credential
			.locator('[data-test-id="credential-save-button"]')
			.filter({ hasText: exactly('Save') });
		for (let clicks = 1; ; clicks++) {
			const tested = this.page
				.waitForResponse((response) => response.url().endsWith('/rest/credentials/test'), {
					timeout: AGAIN_AFTER_MS,
				})
				.catch((error: Error) => error);
			await save.click();
			const result = await tested;
			if (!(result instanceof Error)) return;
			if (clicks === 4) throw result;
		}
	}

	/** Adds a custom field to those that are set. */
	async addCustomField(name: string): Promise<void> {
		const mapper = this.part('resource-mapper-container');
		const add = mapper.getByText('Add custom field to send');
		const retry = mapper.getByText('Retry', { exact: true });
		// n8n may ask for the fields of a new node before it has chosen the credential, and then offers
		// to ask again.
		await add.or(retry).waitFor();
		if (await retry.isVisible()) await retry.click();
		await add.click();
		await this.option(name).click();
	}

	/** A field of the input, as the panel lists it to be dragged into parameters. */
	inputField(name: string): Locator {
		return this.part('ndv-input-panel')
			.locator('[data-test-id="run-data-schema-item"]')

			.filter({ has: this.page.getByText(name, { exact: true }) })
			.first();
	}

	/** Drags a field of the input into a parameter. */
	async drag(inputField: Locator, name: string): Promise<void> {
		const source = inputField.locator('[data-target="mappable"]').first();
		await this.waitUntilStill(source);
		await source.hover();
		await this.page.mouse.down();
		const target = this.field(name);
		// Hovering waits until the target stands still: values that were dragged before make fields
		// move down.
		await target.hover();
		const box = await target.boundingBox();
		if (!box) throw new Error(`The field ${name} is not shown`);
		await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 3, { steps: 4 });
		await this.page.mouse.up();
		await this.field(name).getByText('{{').waitFor();
		await this.release();
	}

	/**
	 * Waits until n8n moves a part no more: the list of input fields grows bit by bit, and another
	 * field would be dragged.
	 */
	private async waitUntilStill(part: Locator): Promise<void> {
		const readPlace = async () => JSON.stringify(await part.boundingBox());
		await part.waitFor();
		for (let last = ''; last !== (await readPlace()); await this.page.waitForTimeout(300))
			last = await readPlace();
	}

	/**
	 * Chooses how a field of the settings of the opened node is set, and goes back to its parameters.
	 */
	async setting(name: string, text: string): Promise<void> {
		await this.part('tab-settings').click();
		await this.select(name, text);
		await this.part('tab-params').click();
	}

	/** Runs the opened node and waits for its end. */
	async execute(): Promise<void> {
		await this.part('node-execute-button').click();
		await this.part('node-execute-button').filter({ hasText: 'Execute step' }).waitFor();
	}

	/** The whole panel of the opened node: input, fields, output. */
	get panel(): Locator {
		return this.part('ndv');
	}

	/** The fields of the opened node. */
	get parameters(): Locator {
		return this.page.locator('.node-settings:visible');
	}

	/** Returns the output of the opened node, or its error. */
	get output(): Locator {
		return this.part('output-panel');
	}

	/**
	 * Returns the items of one output branch of the opened node, as rows and columns of n8n's table.
	 */
	async branch(name: string): Promise<Array<Record<string, string>>> {
		const tab = this.output.getByText(new RegExp(`^${name} Branch`));
		await tab.click();
		// The count of items follows the name of a branch, unless it has none.
		if (!(await tab.innerText()).includes('item')) return [];
		await this.output.locator('[data-test-id="radio-button-table"]').click();
		const rows = this.output.locator('table tr');
		await rows.nth(1).waitFor();
		const [columns, ...cells] = await Promise.all(
			(await rows.all()).map(async (row) => await row.locator('th, td').allInnerTexts()),
		);
		return cells.map((row) =>
			Object.fromEntries(
				columns
					.map((column, index) => [column.trim(), row[index].trim()])
					.filter(([column]) => column),
			),
		);
	}

	/** Lets go of the field that was used last, so that nothing is marked or open any more. */
	async release(): Promise<void> {
		await this.page.evaluate('document.activeElement?.blur()');
		await this.page.mouse.move(0, 0);
	}

	/**
	 * Takes a picture of these parts and their surroundings for the README, if this run takes
	 * pictures.
	 */
	async picture(name: string, ...parts: Locator[]): Promise<void> {
		await pictureOf(this.page, name, parts);
	}
}
