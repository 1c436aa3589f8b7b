import './model.properties.test';
