"""What the tests share: a scratch dbt project, random cases, and the join's definition for another engine."""
