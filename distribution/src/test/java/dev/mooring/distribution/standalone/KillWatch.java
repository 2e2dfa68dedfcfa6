// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.storage.document.Document;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A watch of all configmaps of a namespace that goes on where it was when it was cut off, or is told that it must begin again. */
final class KillWatch {
    private static final int GONE = 410;

    private final String name;
    private final Revisions revisions;
    private final Map<String, String> objects = new TreeMap<>();
    private final Set<Long> seen = new HashSet<>();
    /** What it cannot have seen one by one: it was told to begin again at this revision. */
    private long begun;

    private long last;
    private int resumed;
    private int gone;

    KillWatch(String name, Revisions revisions) {
        this.name = name;
        this.revisions = revisions;
    }

    int resumed() {
        return resumed;
    }

    int gone() {
        return gone;
    }

    Map<String, String> objects() {
        return objects;
    }

    boolean hasSeen(long revision) {
        return revision <= begun || seen.contains(revision);
    }

    /** Listens until the server is gone, or this revision is reached. */
    void follow(ProgramClient client, long end) {
        try {
            while (last < end) {
                if (last == 0) {
                    list(client);
                }
                listen(client, end);
            }
        } catch (IOException e) {
            // The server is gone.
        } catch (RuntimeException e) {
            revisions.problem(name + ": " + e);
        }
    }

    private void list(ProgramClient client) throws IOException {
        Document list = client.get(KillWriter.PATH).body();
        objects.clear();
        for (Document object : ProgramClient.items(list)) {
            objects.put(nameOf(object), object.text("data", "k").orElse(""));
        }
        last = Long.parseLong(list.text("metadata", "resourceVersion").orElseThrow());
        begun = last;
    }

    private void listen(ProgramClient client, long end) throws IOException {
        String path = KillWriter.PATH + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + last;
        resumed++;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(client.stream(path).body(), StandardCharsets.UTF_8))) {
            while (last < end) {
                String line = lines.readLine();
                if (line == null) {
                    throw new IOException("the end");
                }
                Document event = ProgramClient.parse(line);
                if (!take(event.text("type").orElse(""), event.object("object").orElseThrow())) {
                    return;
                }
            }
        }
    }

    private boolean take(String type, Document object) {
        if (type.equals("ERROR")) {
            if (object.at("code").orElse(0L) instanceof Long code && code == GONE) {
                gone++;
            } else {
                revisions.problem(name + " was told " + object);
            }
            last = 0;
            return false;
        }
        long revision =
                Long.parseLong(object.text("metadata", "resourceVersion").orElseThrow());
        if (revision < last || (revision == last && !type.equals("BOOKMARK"))) {
            revisions.problem(name + " was at " + last + " and was told of " + revision);
        }
        last = revision;
        if (type.equals("BOOKMARK")) {
            return true;
        }
        seen.add(revision);
        String value = object.text("data", "k").orElse("");
        if (type.equals("DELETED")) {
            objects.remove(nameOf(object));
            revisions.told(revision, nameOf(object) + " deleted");
        } else {
            objects.put(nameOf(object), value);
            revisions.told(revision, nameOf(object) + "=" + value);
        }
        return true;
    }

    private static String nameOf(Document object) {
        return object.text("metadata", "name").orElse("");
    }
}
