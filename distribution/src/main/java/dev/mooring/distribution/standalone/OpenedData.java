// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.apiserver.rest.FirstNamespaces;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.distribution.node.NodeClaimant;
import dev.mooring.storage.model.Kinds;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The open files of a standalone server.
 *
 * @param store the cluster's objects
 * @param records the node's records
 * @param delivery calls the store's watches
 * @param claims shows other programs that store and node are taken
 */
record OpenedData(EmbeddedClusterStore store, EmbeddedRecordLog records, ExecutorService delivery, Claims claims) {
    private static final int DELIVERY_THREADS = 2;

    /**
     * Opens them; a new cluster gets its first objects.
     *
     * @param lease of the node
     * @param ids uids of new objects
     * @param closing is given what closes each of them
     * @throws IOException if a file cannot be used; the message says which
     */
    static OpenedData open(StandaloneOptions options, DataFiles files, Duration lease, IdSource ids, Closing closing)
            throws IOException {
        ExecutorService delivery = Executors.newFixedThreadPool(DELIVERY_THREADS, OpenedData::deliveryThread);
        closing.addFirst(delivery::shutdownNow);
        files.requireCluster();
        EmbeddedClusterStore store = EmbeddedClusterStore.open(
                files.cluster(),
                StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), ids)
                        .withDelivery(delivery));
        closing.addFirst(store::close);
        begin(store, files);
        Claims claims = new Claims(store, NodeClaimant.of(options.node(), Claims.HOLDER, options.version(), lease));
        closing.addFirst(claims::close);
        claims.refuseIfManaged();
        EmbeddedRecordLog records = EmbeddedRecordLog.open(files.records());
        closing.addFirst(records::close);
        return new OpenedData(store, records, delivery, claims);
    }

    /** The first objects of a cluster; all other files come after them. */
    private static void begin(DocumentStore store, DataFiles files) throws IOException {
        if (store.listDocuments(Kinds.NAMESPACE).orThrow().items().isEmpty()) {
            files.refuseNew("has no objects");
        }
        FirstNamespaces.make(store);
        SnapshotDefinitions.make(store);
    }

    private static Thread deliveryThread(Runnable work) {
        Thread thread = new Thread(work, "watches");
        thread.setDaemon(true);
        return thread;
    }
}
