// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.sidecar;

import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Announcement;

/**
 * Events under the names of the side-cars that would write them.
 *
 * @param sink where they go
 * @param provisioner the component of external-provisioner: driver, machine and process
 * @param resizer the component of external-resizer
 */
record SidecarEvents(EventSink sink, String provisioner, String resizer) implements EventSink {
    private static final String OF_BINDER = "persistentvolume-controller";

    static SidecarEvents of(EventSink sink, String driver, String identity) {
        return new SidecarEvents(sink, driver + "_" + identity, "external-resizer " + driver);
    }

    @Override
    public void announce(Announcement news) {
        String component = switch (news.component()) {
            case OF_BINDER -> provisioner;
            case "volume_expand", "volume_modify" -> resizer;
            default -> news.component();
        };
        sink.announce(new Announcement(
                news.kind(), news.object(), news.uid(), news.warning(), news.reason(), news.message(), component));
    }
}
