"""The pages, one file for each thing that a person does. A view translates: it asks a selector or calls one verb."""
