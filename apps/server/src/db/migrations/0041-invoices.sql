-- Which invoices were taken back: asked for each line of the list.
create index billing_documents_corrects on billing_documents (corrects) where corrects is not null;
