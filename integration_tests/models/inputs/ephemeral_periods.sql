{{ config(materialized='ephemeral') }}

select * from {{ ref('periods') }}
