"""What people see: tables, drawings, pictures. Imports analyzer, never the reverse
(the command line and the notebook views import this late)."""
