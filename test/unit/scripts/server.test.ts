import { environment } from '../../../scripts/n8n/server';

test("The n8n of npm start and of the tests has a home folder of its own and none of the user's variables", () => {
	process.env.N8N_ENCRYPTION_KEY = 'of the user';
	const { HOME, N8N_USER_FOLDER, ...others } = environment('2.41.1', '/its/home', 1, 2);
	delete process.env.N8N_ENCRYPTION_KEY;
	expect({ HOME, N8N_USER_FOLDER }).toEqual({ HOME: '/its/home', N8N_USER_FOLDER: '/its/home' });
	expect(others).not.toHaveProperty('N8N_ENCRYPTION_KEY');
});
