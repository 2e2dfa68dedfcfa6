// SPDX-License-Identifier: Apache-2.0

/** Volumes that are directories on a shelf of the node. */
module com.example.shelf {
    requires dev.mooring.storage;

    provides dev.mooring.storage.spi.StoragePlugin with
            com.example.shelf.ShelfPlugin;
}
