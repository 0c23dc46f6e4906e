import '../src/ui/theme/styles.css';
