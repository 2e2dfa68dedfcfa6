// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;

/**
 * What is written in each row of the tables, in order: the bind writes the volume, then the claim, then what both show (semantics/binder
 * §1.7, the two statuses at once by D5); an update of the claim alone, or of what either shows, where the row says so; a volume that is
 * destroyed is marked first, then deleted, then its mark and our finalizers go (§1.9, D6). {@code pv} and {@code pvc} stand for the kinds.
 */
final class RowWrites {
    private static final String ROWS = """
            B1 no volume name | pvc data/status
            B2 the volume has gone | pvc data/status
            B3 free again: adopted | pv pv, pv pv/status, pvc data/status
            B4 complete: nothing is written |
            B4 phases are repaired | pv pv/status, pvc data/status
            B5 the name without a uid is taken back (D7) | pv pv, pv pv/status, pvc data/status
            B5 the uid of another | pvc data/status, pv pv/status
            R0 another program's by migration |
            R1 Retain |
            R2 Recycle | pv pv, pv pv, pv pv/status
            R2 no plugin recycles | pv pv/status
            R2 retried when Failed | pv pv, pv pv, pv pv/status
            R3 (b) an unknown plugin of Kubernetes | pv pv, pv pv/status
            R3 (c) another program made it |
            R3 (d) a CSI volume |
            R3 (e) no plugin destroys | pv pv/status
            R3 Delete | pv pv, pv pv deleted, pv pv, pv pv
            R3 retried when Failed | pv pv, pv pv deleted, pv pv, pv pv
            R4 a policy from the future | pv pv/status
            SV1 no claim's, Released before | pv pv/status
            SV1 no claim's | pv pv/status
            SV2 kept for a claim to come | pv pv/status
            SV3 Failed stays Failed |
            SV3 the claim has gone | pv pv/status
            SV4 the claim is another of its name | pv pv/status
            SV6 the claim has not named it yet | pvc data, pvc data/status
            SV6 the claim wants another mode |
            SV7 the claim names it | pv pv/status, pvc data/status
            SV8 a user's: waits for the claim to come | pv another/status, pvc data/status, pv pv, pv pv/status
            SV8 made for the claim: destroyed | pv another/status, pvc data/status, pv pv, pv pv/status, pv pv, pv pv deleted, pv pv, pv pv
            SV8 ours: free again | pv another/status, pvc data/status, pv pv, pv pv/status
            U1 a class that does not say when to bind | pv pv/status
            U3 a class that is not there does not delay | pv pv, pvc data, pv pv/status, pvc data/status
            U4 a volume that fits | pv pv, pvc data, pv pv/status, pvc data/status
            U4 a volume without a class goes before the default class | pv pv, pvc data, pv pv/status, pvc data/status
            U5 no class, no volume: the default class | pvc data, pvc data
            U5 the empty class is a class |
            U6 a consumer without a node |
            U6 a status that shows more than Pending is corrected | pvc data/status
            U6 a volume that fits does not help before the consumer | pv pv/status
            U6 no consumer yet |
            U7 the node is selected | pvc data
            U7 writes no status |
            U8 a status that shows more than Pending is corrected | pvc data/status
            U8 nothing helps |
            V1 Pending is shown | pvc data/status
            V1 the volume is not there |
            V2 another class | pv pv/status
            V2 another mode | pv pv/status
            V2 its storage is being reclaimed (D6) |
            V2 too small | pv pv/status
            V3 free and fitting | pv pv, pvc data, pv pv/status, pvc data/status
            V3 the class waits for a consumer, the user does not | pv pv, pvc data, pv pv/status, pvc data/status
            V4 the volume names the claim by uid | pvc data, pv pv/status, pvc data/status
            V4 the volume names the claim, whatever its size; it is told (D8) | pv pv, pvc data, pv pv/status, pvc data/status
            V5 another claim's | pvc data/status, pv pv/status
            V6 another claim's although we chose it: no status | pv pv/status
            """;

    private static final Map<String, String> BY_ROW = read();

    private RowWrites() {}

    private static Map<String, String> read() {
        Map<String, String> rows = new TreeMap<>();
        ROWS.lines().forEach(line -> {
            int bar = line.lastIndexOf('|');
            rows.put(line.substring(0, bar).strip(), line.substring(bar + 1).strip());
        });
        return rows;
    }

    static void check(String row, Cluster cluster) {
        assertThat(BY_ROW).as("every row says what is written").containsKey(row);
        assertThat(cluster.writesInOrder()).as("writes of " + row).isEqualTo(BY_ROW.get(row));
    }
}
