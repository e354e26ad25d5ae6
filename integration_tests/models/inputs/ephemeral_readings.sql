{{ config(materialized='ephemeral') }}

select * from {{ ref('readings') }}
