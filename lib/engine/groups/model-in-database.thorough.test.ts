import './model-in-database.test';
